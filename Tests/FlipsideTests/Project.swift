import Foundation

enum Project {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: root + "/" + path, encoding: .utf8)
    }

    /// The rows of the first table after the line `heading` of a Markdown file, each as its cells, without its head.
    static func table(in path: String, under heading: String) throws -> [[String]] {
        let lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false)
        return rows(lines.drop { $0 != heading }.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") })
    }

    /// All tables from the line `heading` to the next heading of its level.
    static func tables(in path: String, under heading: String) throws -> [[[String]]] {
        let level = heading.prefix { $0 == "#" } + " "
        let lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false)
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix(level) }
        return section.split { !$0.hasPrefix("|") }.map(rows)
    }

    private static func rows(_ lines: ArraySlice<Substring>) -> [[String]] {
        lines.dropFirst(2).map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }
}
