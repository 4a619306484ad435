/// A line of a module that says what it imports or exports, in the forms that the page's files have: one line, named,
/// at the line's beginning. With these a module can be put into a function without being parsed.
enum ModuleStatement: Equatable {
    /// `import { a, b as c } from "./x.js";`: the names between the braces.
    case imports(String, from: String)
    /// `import * as all from "./x.js";`
    case importsAll(as: String, from: String)
    /// `import "./x.js";`
    case runs(String)
    /// `export { a, b as c } from "./x.js";`, or `export { a };`
    case reexports(String, from: String?)
    /// `export function a() {`: the name, and the line without its first word.
    case exports(String, line: String)

    /// A line that is none of these although it begins so: such a module is not joined.
    struct UnknownForm: Error, Equatable {}

    /// Nil for any other line.
    init?(_ line: Substring) throws(UnknownForm) {
        // An expression takes long to match: most lines have neither word.
        guard line.containsBytes("import") || line.containsBytes("export") else { return nil }
        let statements = line.matches(of: Self.beginning)
        guard let first = statements.first else { return nil }
        guard statements.count == 1, first.range.lowerBound == line.startIndex else { throw UnknownForm() }
        if line.hasPrefix("import ") {
            self = try Self.importing(line.dropFirst("import ".count))
        } else if line.hasPrefix("export ") {
            self = try Self.exporting(line.dropFirst("export ".count))
        } else {
            throw UnknownForm()
        }
    }

    /// What begins a statement of these, wherever a line may have one.
    private nonisolated(unsafe) static let beginning =  // No expression is Sendable; nothing changes this one.
        /(?:^|[;}]|\*\/)\s*(?:import(?!\s*\()|export)(?![\w$:])/

    private static func importing(_ rest: Substring) throws(UnknownForm) -> Self {
        if rest.hasPrefix("{") {
            let (names, behind) = try braces(rest)
            guard let path = path(behind, after: " from ") else { throw UnknownForm() }
            return .imports(names, from: path)
        }
        if rest.hasPrefix("* as ") {
            let name = rest.dropFirst("* as ".count).prefix { isOfName($0) }
            guard !name.isEmpty, let path = path(rest[name.endIndex...], after: " from ") else { throw UnknownForm() }
            return .importsAll(as: String(name), from: path)
        }
        guard let path = path(rest, after: "") else { throw UnknownForm() }
        return .runs(path)
    }

    private static func exporting(_ rest: Substring) throws(UnknownForm) -> Self {
        if rest.hasPrefix("{") {
            let (names, behind) = try braces(rest)
            if behind == ";" { return .reexports(names, from: nil) }
            guard let path = path(behind, after: " from ") else { throw UnknownForm() }
            return .reexports(names, from: path)
        }
        for kind in ["const ", "function ", "async function ", "class "] where rest.hasPrefix(kind) {
            let name = rest.dropFirst(kind.count).prefix { isOfName($0) }
            let behind = rest.dropFirst(kind.count + name.count).prefix { !"([{\"'`".contains($0) }
            // One name a line: `const a = 1, b = 2` would give the first alone.
            guard !name.isEmpty, !behind.contains(","), behind.first?.isASCII != false else { throw UnknownForm() }
            return .exports(String(name), line: String(rest))
        }
        throw UnknownForm()
    }

    /// What is between the first braces, and what stands behind them.
    private static func braces(_ rest: Substring) throws(UnknownForm) -> (String, Substring) {
        guard let end = rest.firstIndex(of: "}") else { throw UnknownForm() }
        return (String(rest[..<end].dropFirst()), rest[rest.index(after: end)...])
    }

    /// `"./x.js";` behind that word, without its quotes.
    private static func path(_ rest: Substring, after word: String) -> String? {
        guard rest.hasPrefix(word + "\""), rest.hasSuffix("\";") else { return nil }
        let path = rest.dropFirst(word.count + 1).dropLast(2)
        return path.hasPrefix(".") && !path.contains("\"") ? String(path) : nil
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || character == "_" || character == "$"
    }
}
