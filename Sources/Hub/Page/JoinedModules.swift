import Foundation

/// Joins the modules of a first view, with everything they import, into one. Each becomes a function that returns its
/// exports, after the functions of its imports. One request brings them all, where each alone would wait for its turn
/// on a slow line.
///
/// Later modules are files of their own and may import joined ones. There they find a stand-in with the joined module's
/// exports, so nothing is loaded twice.
///
/// If a module in a game's folder throws, its later importers find nothing exported, and all others run. A browser that
/// loads the modules one by one would run none of those that import it, which is the whole page.
struct JoinedModules {
    enum Refusal: Error, Equatable, CustomStringConvertible {
        case missing(String)
        case unknownForm(path: String, line: Int)
        case cycle(String)
        case variable(String, of: String)
        case notExported(String, by: String, to: String)

        var description: String {
            switch self {
            case .missing(let path): "\(path) is missing"
            case .unknownForm(let path, let line): "\(path):\(line) is in a form that cannot be joined"
            case .cycle(let path): "\(path) imports itself through others"
            case .variable(let name, let path): "\(path) exports the variable `\(name)`, not a function that returns it"
            case .notExported(let name, let path, let importer):
                "\(path) does not export `\(name)`, which \(importer) imports"
            }
        }
    }

    /// The joined modules in the order in which they run, each after its imports.
    private(set) var paths: [String] = []
    private var parts: [String] = []
    /// Each module's exported names.
    private var names: [String: [String]] = [:]
    private var numbers = ModuleNumbers()
    private let sources: [String: String]
    /// The module that starts the page.
    private let last: String?
    private var isUnderWay: Set<String> = []

    /// `sources` by path: `/main.js`. The last of `entries` starts the page. Nothing waits for it or imports it.
    init(_ entries: [String], of sources: [String: String]) throws(Refusal) {
        self.sources = sources
        last = entries.last
        for entry in entries { try add(entry) }
    }

    /// The joined module. It finds later modules and stand-ins beside itself, wherever it is.
    var body: String {
        let beginning = """
            const $all = {};
            const $importing = (from) => (name) => {
            const { pathname, search } = new URL(name, location.origin + from);
            if (pathname in $all && !search) return Promise.resolve($all[pathname]);
            return import(new URL(`.${pathname}${search}`, import.meta.url).href);
            };
            const $broken = {};
            const $run = (path, module) => {
            const [, game] = path.match("^/games/(.+?)/") ?? [];
            try { if (!$broken[game]) return $all[path] = module(); } catch (error) {
            if (!game) throw error;
            $broken[game] = true;
            console.error(`The game ${game} is missing because one of its modules threw an error:`, error);
            }
            return $all[path] = {};
            };

            """
        return beginning + parts.joined() + "export { $all };\n"
    }

    /// Replaces one of `paths` for later modules. `name` is the joined module's, in the folder above all others.
    func standIn(for path: String, name: String) -> String {
        let up = String(repeating: "../", count: path.count { $0 == "/" } - 1)
        return """
            import { $all } from "\(up.isEmpty ? "./" : up)\(name)";
            export const { \(names[path, default: []].joined(separator: ", ")) } = $all["\(path)"];

            """
    }

    private mutating func add(_ path: String) throws(Refusal) {
        guard !paths.contains(path) else { return }
        guard isUnderWay.insert(path).inserted else { throw .cycle(path) }
        guard let source = sources[path] else { throw .missing(path) }
        let module = try read(path, source)
        let isLast = path == last && module.exports.isEmpty
        // Other modules use its exports.
        if !isLast, let line = module.waitingLine { throw .unknownForm(path: path, line: line) }
        for imported in module.imports { try add(imported) }
        for (name, exporter) in module.taken where names[exporter]?.contains(name) != true {
            throw .notExported(name, by: exporter, to: path)
        }
        paths.append(path)
        names[path] = module.exports.map(\.name)
        let given = module.exports.map { $0.name == $0.local ? $0.name : "\($0.name): \($0.local)" }.joined(
            separator: ", ")
        let later = module.body.contains("$import(") ? "const $import = $importing(\"\(path)\");\n" : ""
        let begins = isLast ? "(async () => {\n" : "const \(numbers.name(of: path)) = $run(\"\(path)\", () => {\n"
        let ends = isLast ? "})();\n" : "return { \(given) };\n});\n"
        parts.append(begins + later + module.body + ends)
    }

    fileprivate struct Module {
        var imports: [String] = []
        /// Names that it imports, and from where.
        var taken: [(name: String, exporter: String)] = []
        var exports: [(name: String, local: String)] = []
        var body = ""
        /// The first line that waits before the module has run.
        var waitingLine: Int?
        /// Names whose values may change.
        var variables: Set<Substring> = []
    }

    private mutating func read(_ path: String, _ source: String) throws(Refusal) -> Module {
        // Swift reads it and the line's end as one character.
        if let end = source.utf8.firstIndex(of: UInt8(ascii: "\r")) {
            throw .unknownForm(path: path, line: source.utf8[..<end].count { $0 == UInt8(ascii: "\n") } + 1)
        }
        var module = Module()
        var isInComment = false
        for (index, line) in SourceLines(source).all.enumerated() {
            if line.isPlain {
                if !isInComment { module.body += line.unindented + "\n" }
                continue
            }
            let words = line.unindented
            // Comments make up a third of the bytes. Those after code stay, except for types, since only a parser tells
            // them from quoted text.
            if isInComment || words.hasPrefix("/*") && !words.dropLast(2).contains("*/") {
                isInComment = !words.hasSuffix("*/")
                guard !isInComment || !words.contains("*/") else { throw .unknownForm(path: path, line: index + 1) }
                continue
            }
            if words.isEmpty || words.hasPrefix("//") { continue }
            let code = Self.withoutTypes(line.text)
            do throws(ModuleStatement.UnknownForm) {
                try module.scanLine(code, at: index + 1)
                try module.add(ModuleStatement(code), line: code.drop { $0 == " " }, path: path, &numbers)
            } catch { throw .unknownForm(path: path, line: index + 1) }
        }
        // An importer would keep its first value.
        if let taken = module.exports.first(where: { module.variables.contains($0.local[...]) }) {
            throw .variable(taken.local, of: path)
        }
        return module
    }

    /// No quoted text starts like these types.
    private static func withoutTypes(_ line: Substring) -> Substring {
        line.containsBytes("/** @") ? line.replacing(typeComment, with: "") : line
    }
    private nonisolated(unsafe) static let typeComment =  // No Regex is Sendable. Nothing changes this one.
        /\/\*\* @[^*]*\*\/ ?/
}

extension JoinedModules.Module {
    /// Records what a line says about the whole module. A template of several lines would need its comments and blanks.
    fileprivate mutating func scanLine(_ line: Substring, at number: Int) throws(ModuleStatement.UnknownForm) {
        guard !line.containsBytes("`") || line.count(where: { $0 == "`" }).isMultiple(of: 2),
            !line.containsBytes("import.meta")
        else { throw ModuleStatement.UnknownForm() }
        guard line.first?.isWhitespace == false else { return }
        if waitingLine == nil, line.containsBytes("await "), !line.containsBytes("async ") { waitingLine = number }
        guard line.hasPrefix("let ") || line.hasPrefix("var ") else { return }
        variables.formUnion(line.dropFirst(4).matches(of: /[\w$]+/).map { $0.output })
    }

    fileprivate mutating func add(
        _ statement: ModuleStatement?, line: Substring, path: String, _ numbers: inout ModuleNumbers
    ) {
        switch statement {
        case nil: body += Self.importingLater(line) + "\n"
        case .runs(let name): imports.append(resolved(name, from: path))
        case .importsAll(let local, let name):
            imports.append(resolved(name, from: path))
            body += "const \(local) = \(numbers.name(of: resolved(name, from: path)));\n"
        case .imports(let names, let name):
            let exporter = resolved(name, from: path)
            imports.append(exporter)
            taken += Self.pairs(names).map { ($0.first, exporter) }
            body += "const {\(names.replacing(" as ", with: ": "))} = \(numbers.name(of: exporter));\n"
        case .exports(let name, let line):
            exports.append((name, name))
            body += Self.importingLater(line[...]) + "\n"
        case .reexports(let names, let source):
            let exporter = source.map { resolved($0, from: path) }
            for (first, last) in Self.pairs(names) {
                exports.append((last, exporter.map { "\(numbers.name(of: $0)).\(first)" } ?? first))
                if let exporter { taken.append((first, exporter)) }
            }
            if let exporter { imports.append(exporter) }
        }
    }

    private static func importingLater(_ line: Substring) -> String {
        guard line.containsBytes("import(") else { return String(line) }
        return String(line).replacing(importCall) { "\($0.1)$import(" }
    }
    private nonisolated(unsafe) static let importCall =  // No Regex is Sendable. Nothing changes this one.
        /(^|[^\w$."'`])import\(/

    /// Each name in `a, b as c`, and the name that it gets.
    private static func pairs(_ names: String) -> [(first: String, last: String)] {
        names.split(separator: ",").compactMap { pair in
            let words = pair.split(separator: " ").map { String($0) }
            guard let first = words.first, let last = words.last else { return nil }
            return (first, last)
        }
    }
}

/// Short names for joined modules, since each importer would repeat the path.
private struct ModuleNumbers {
    private var numbers: [String: Int] = [:]

    mutating func name(of path: String) -> String {
        let number = numbers[path] ?? numbers.count + 1
        numbers[path] = number
        return "$\(number)"
    }
}

/// The path from the root that the file at `base` means by `path`.
func resolved(_ path: String, from base: String) -> String {
    var parts = base.split(separator: "/").dropLast().map { String($0) }
    for part in path.split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return "/" + parts.joined(separator: "/")
}
