import Foundation

enum Project {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// The rows of the first table behind the line `heading` of a Markdown file, each as its cells, without the two
    /// lines of its head.
    static func table(in path: String, under heading: String) throws -> [[String]] {
        let lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false)
        let behind = lines.drop { $0 != heading }.drop { !$0.hasPrefix("|") }
        return behind.prefix { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }
}
