import Foundation
import Testing

/// A file of the sources or the tests, as the rules of the house check it.
struct SourceFile: Sendable {
    /// Relative to the project's folder.
    let path: String
    let text: String

    /// Without the empty line after the last line's end.
    let lines: [Substring]
    /// The lines, with comment lines empty, since a comment may give an example.
    let code: [Substring]
    /// Imported modules, with or without attributes, an access level or a kind.
    let imports: [String]

    private init(path: String) throws {
        self.path = path
        text = try Project.text(path)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.lines = lines.last == "" ? lines.dropLast() : lines
        code = self.lines.map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 }
        let line =
            #/
            ^\s*(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*
            import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?<module>\w+)
            /#
        // Few lines can match, and the pattern is slow.
        imports = code.filter { $0.contains("import") }.compactMap {
            $0.firstMatch(of: line).map { String($0.output.module) }
        }
    }

    /// Read once for all tests.
    private static let sources = Result { try read("Sources") }
    private static let tests = Result { try read("Tests") }

    private static func read(_ folder: String) throws -> [SourceFile] {
        let entries = FileManager.default.enumerator(atPath: Project.root + "/" + folder)
        let names = (entries?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }
        return try names.sorted().map { try SourceFile(path: folder + "/" + $0) }
    }

    /// The files in a folder of the sources or the tests.
    static func all(in folder: String) throws -> [SourceFile] {
        let files = try (folder.hasPrefix("Tests") ? tests : sources).get()
        let chosen = files.filter { $0.path.hasPrefix(folder + "/") }
        #expect(!chosen.isEmpty, "there is nothing in \(folder)")
        return chosen
    }
}
