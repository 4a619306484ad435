import Foundation
import Testing

/// What must hold for README and every article.
@Suite("The documents") struct DocumentTests {
    private static let catalogue = "Sources/Hub/Hub.docc/"
    private static let house = catalogue + "House.md"

    static func all() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: Project.root + "/" + catalogue)
        return ["README.md"] + files.filter { $0.hasSuffix(".md") }.sorted().map { catalogue + $0 }
    }

    @Test("README has less than 1,200 words")
    func length() throws {
        #expect(try Project.text("README.md").split(whereSeparator: \.isWhitespace).count < 1_200)
    }

    @Test("each link between documents leads to a file", arguments: try all())
    func links(path: String) throws {
        let folder = URL(fileURLWithPath: Project.root + "/" + path).deletingLastPathComponent()
        for link in try Project.text(path).matches(of: /\]\((?<target>[^)#\s]+)(?:#[^)]*)?\)/).map(\.output.target)
        where !link.contains("://") {
            let target = folder.appendingPathComponent(String(link)).path
            #expect(FileManager.default.fileExists(atPath: target), "\(path) links to \(link)")
        }
    }

    @Test("no line of an article has more than 140 columns, but for tables and what a program prints")
    func widths() throws {
        for path in try Self.all() {
            var isCode = false
            for (index, line) in try Project.text(path).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                if line.hasPrefix("```") { isCode.toggle() }
                guard !isCode, !line.hasPrefix("|"), line.count > 140 else { continue }
                Issue.record("\(path):\(index + 1) has \(line.count) columns")
            }
        }
    }

    @Test("each file that House.md names exists")
    func paths() throws {
        let folders = ["", "Sources/", "Sources/Hub/", "Tests/FlipsideTests/", "web/"].map { Project.root + "/" + $0 }
        var found = 0
        for path in try Project.text(Self.house).matches(of: /`([\w+.\/-]+)`/).map({ String($0.output.1) })
        where path.contains("/") {
            found += 1
            #expect(
                folders.contains { FileManager.default.fileExists(atPath: $0 + path) }, "House.md names \(path)")
        }
        #expect(found > 100)
    }

    @Test("House.md has the row of each module, with what it may import")
    func imports() throws {
        let names = { (cell: String) in Set(cell.matches(of: /`(\w+)`/).map { String($0.output.1) }) }
        var documented: [String: Set<String>] = [:]
        for row in try Project.table(in: Self.house, under: "## Targets") {
            for module in names(row[0]) { documented[module] = names(row[2]) }
        }
        for library in HouseTests.libraries { #expect(documented.removeValue(forKey: library) == []) }
        let packages: Set = ["Logging", "ArgumentParser"]
        #expect(documented == HouseTests.allowed.mapValues { $0.subtracting(packages) })
    }
}
