import Foundation
import Testing

/// A file of the sources or the tests, as the rules of the house check it.
struct SourceFile {
    /// Relative to the project's folder.
    let path: String
    let text: String

    /// Without the empty line after the last line's end.
    var lines: [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.last == "" ? lines.dropLast() : lines
    }

    /// The lines, with comment lines empty, since a comment may give an example.
    var code: [Substring] { lines.map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 } }

    /// Imported modules, with or without attributes, an access level or a kind.
    var imports: [String] {
        let line =
            #/
            ^\s*(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*
            import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?<module>\w+)
            /#
        // Few lines can match, and the pattern is slow.
        return code.filter { $0.contains("import") }.compactMap {
            $0.firstMatch(of: line).map { String($0.output.module) }
        }
    }

    static func all(in folder: String) throws -> [SourceFile] {
        let entries = FileManager.default.enumerator(atPath: Project.root + "/" + folder)
        let names = (entries?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }
        #expect(!names.isEmpty, "there is nothing in \(folder)")
        return try names.sorted().map { name in
            let path = folder + "/" + name
            return SourceFile(path: path, text: try String(contentsOfFile: Project.root + "/" + path, encoding: .utf8))
        }
    }
}
