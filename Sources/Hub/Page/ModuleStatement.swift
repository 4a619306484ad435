/// A line of a module that imports or exports, in the forms that the page's files use: on one line, named, at its
/// start. These forms let a module become a function without being parsed.
enum ModuleStatement: Equatable {
    /// `import { a, b as c } from "./x.js";` with the names between the braces.
    case imports(String, from: String)
    /// `import * as all from "./x.js";`
    case importsAll(as: String, from: String)
    /// `import "./x.js";`
    case runs(String)
    /// `export { a, b as c } from "./x.js";`, or `export { a };`
    case reexports(String, from: String?)
    /// `export function a() {` with the name, and the line without `export`.
    case exports(String, line: String)

    /// A line that starts like one of these but is not. Its module is not joined.
    struct UnknownForm: Error, Equatable {}

    /// Nil for any other line.
    init?(_ line: Substring) throws(UnknownForm) {
        // Regular expressions are slow, and most lines have neither word.
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

    /// The start of such a statement, anywhere in a line.
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
            // A line exports one name, since `const a = 1, b = 2` would only export the first.
            guard !name.isEmpty, !behind.contains(","), behind.first?.isASCII != false else { throw UnknownForm() }
            return .exports(String(name), line: String(rest))
        }
        throw UnknownForm()
    }

    /// The text between the first braces, and the text after them.
    private static func braces(_ rest: Substring) throws(UnknownForm) -> (String, Substring) {
        guard let end = rest.firstIndex(of: "}") else { throw UnknownForm() }
        return (String(rest[..<end].dropFirst()), rest[rest.index(after: end)...])
    }

    /// The path in `"./x.js";` after `word`.
    private static func path(_ rest: Substring, after word: String) -> String? {
        guard rest.hasPrefix(word + "\""), rest.hasSuffix("\";") else { return nil }
        let path = rest.dropFirst(word.count + 1).dropLast(2)
        return path.hasPrefix(".") && !path.contains("\"") ? String(path) : nil
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber) || character == "_" || character == "$"
    }
}
