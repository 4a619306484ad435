import Foundation
import Testing

@testable import EventStore

@Suite("SQLite: what moves near the log's files") struct PlaceWatchTests {
    private let folder = TemporaryFolder()
    private let files = FileManager.default

    private func path(_ name: String) -> String { folder.path + "/" + name }
    private func makeFolder(_ name: String) throws {
        try files.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }
    private func link(_ name: String, to target: String) throws {
        try files.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }
    private func move(_ old: String, _ new: String) throws {
        try files.moveItem(atPath: path(old), toPath: path(new))
    }

    /// Other tests change folders above, too.
    private func isQuiet(_ watch: PlaceWatch) -> Bool { (0..<10_000).contains { _ in !watch.takeChanges() } }

    @Test("it is noticed in every folder that leads there, also by links of links, also after they were moved")
    func notices() throws {
        for name in ["a/real/data", "b", "c"] { try makeFolder(name) }
        try link("b/link", to: "../c/other")
        try link("c/other", to: path("a/real"))
        let watch = PlaceWatch([path("b/link/data/log")])
        #expect(isQuiet(watch))
        // Each leaves the way as it was, or leads it through other folders.
        let changes: [() throws -> Void] = [
            {
                try move("a/real/data", "aside")
                try files.removeItem(atPath: path("a"))
                try makeFolder("a/real")
                try move("aside", "a/real/data")
            },
            {
                try move("a/real/data", "aside")
                try move("aside", "a/real/data")
            },
            {
                try move("a", "d")
                try files.removeItem(atPath: path("c/other"))
                try link("c/other", to: "../d/real")
            },
            {
                try move("d/real", "d/unreal")
                try move("d/unreal", "d/real")
            },
            { try Data().write(to: URL(fileURLWithPath: path("d/real/data/log"))) },
        ]
        for (number, happens) in changes.enumerated() {
            try happens()
            #expect(watch.takeChanges(), "change \(number)")
            #expect(isQuiet(watch), "change \(number)")
        }
    }

    @Test("what cannot be watched may change at any time")
    func unwatched() {
        let watch = PlaceWatch([path("missing/log")])
        #expect(watch.takeChanges() && !isQuiet(watch))
    }
}
