import CSQLite
import Foundation
import Testing

@testable import EventStore

/// A way in which a log's files lose their place, and the way back.
struct Displacement: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The file or folder that the error sentence names, in the log's folder.
    let named: String
    /// Whether another file has taken the place.
    var isReplaced = false
    let happen: @Sendable (LogPlace) throws -> Void
    let end: @Sendable (LogPlace) throws -> Void

    private static let putBack: @Sendable (LogPlace) throws -> Void = { place in
        try place.remove("data")
        try place.move("aside", "data")
    }

    static let all = [
        Displacement(
            testDescription: "the folder is moved away", named: "/log.sqlite",
            happen: { try $0.move("data", "aside") }, end: { try $0.move("aside", "data") }),
        Displacement(
            testDescription: "an empty folder is in its place", named: "/log.sqlite",
            happen: { place in
                try place.move("data", "aside")
                try place.makeFolder("data")
            },
            end: putBack),
        Displacement(
            testDescription: "another log is in its place", named: "/log.sqlite", isReplaced: true,
            happen: { place in
                try Desk(SQLiteLog(folder: place.path("aside"))).fill(.red, to: 9)
                try place.exchange("data", "aside")
            },
            end: putBack),
        Displacement(
            testDescription: "a copy is in its place", named: "/log.sqlite", isReplaced: true,
            happen: { place in
                try place.copy("data", "aside")
                try place.exchange("data", "aside")
            },
            end: putBack),
        Displacement(
            testDescription: "a link shows somewhere else", named: "/log.sqlite",
            happen: { place in
                try place.move("data", "aside")
                try place.makeFolder("other")
                try place.link("data", "other")
            },
            end: { place in
                try place.remove("data")
                try place.link("data", "aside")
            }),
        Displacement(
            testDescription: "the log alone is moved away", named: "/log.sqlite",
            happen: { try $0.move("data/log.sqlite", "aside") }, end: { try $0.move("aside", "data/log.sqlite") }),
        Displacement(
            testDescription: "the log alone is replaced by a copy", named: "/log.sqlite", isReplaced: true,
            happen: { place in
                try place.copy("data/log.sqlite", "aside")
                try place.exchange("data/log.sqlite", "aside")
            },
            end: { try $0.move("aside", "data/log.sqlite") }),
        Displacement(
            testDescription: "the write-ahead log alone is moved away", named: "/log.sqlite-wal",
            happen: { try $0.move("data/log.sqlite-wal", "aside") },
            end: { try $0.move("aside", "data/log.sqlite-wal") }),
        Displacement(
            testDescription: "the write-ahead log alone is replaced by a copy", named: "/log.sqlite-wal",
            isReplaced: true,
            happen: { place in
                try place.copy("data/log.sqlite-wal", "aside")
                try place.exchange("data/log.sqlite-wal", "aside")
            },
            end: { try $0.move("aside", "data/log.sqlite-wal") }),
    ]
}

/// A folder with the log's in it, named `data`.
final class LogPlace: Sendable {
    private let folder = TemporaryFolder()
    /// Between two looks at the files.
    private static let interval = Duration.milliseconds(5)

    init() throws { try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true) }

    func path(_ name: String) -> String { folder.path + "/" + name }

    /// Replaces what is there.
    func move(_ old: String, _ new: String) throws {
        guard rename(path(old), path(new)) == 0 else { throw NothingCame(messages: []) }
    }
    /// Nothing is done between the moves, since the log may look at any moment.
    func exchange(_ one: String, _ other: String) throws {
        try move(other, "new")
        try move(one, other)
        try move("new", one)
    }
    func copy(_ old: String, _ new: String) throws {
        try FileManager.default.copyItem(atPath: path(old), toPath: path(new))
    }
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }
    func link(_ name: String, _ target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: path(target))
    }
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func open(system: String? = nil) throws -> Desk {
        let options = SQLiteLog.Options(checkInterval: LogPlace.interval, system: system)
        return Desk(try SQLiteLog(folder: path("data"), options: options))
    }
}

@Suite("SQLite: files that lose their place") struct SQLiteVanishingTests {
    private let place: LogPlace
    private let watcher = RecordingInbox()
    private let follower = RecordingInbox()

    init() throws { place = try LogPlace() }

    private func waitUntilDown() throws {
        try watcher.wait { $0.availability.map { $0 != .available } ?? false }
    }

    @Test(
        "nothing is acknowledged or shown while the files are away, and play continues when they are back",
        arguments: Displacement.all)
    func stopsAndGoesOn(displacement: Displacement) throws {
        let desk = try place.open()
        desk.log.follow(.red, after: 0, ticket: 1, into: follower)
        try desk.fill(.red, to: 3)
        try follower.wait { $0.recordCount == 3 }
        try displacement.happen(place)
        let refusal = try desk.append(.numbered(4), to: .red, expecting: 3).refusal
        let path = place.path("data") + displacement.named
        #expect(refusal == (displacement.isReplaced ? .replaced(path: path) : .vanished(path: path)))
        #expect(refusal?.sentence.contains(path) == true)
        #expect(try desk.erase(.ada).refusal == refusal)
        // The file in its place is not read either.
        #expect(try desk.load(.red) == .failure(try #require(refusal)))
        desk.log.watchAvailability(into: watcher)
        try watcher.wait { $0.availability == .unavailable(refusal ?? .closed) }
        #expect(follower.records(1).count == 3)

        try displacement.end(place)
        try watcher.wait { $0.availability == .available }
        #expect(try desk.append(.numbered(4), to: .red, expecting: 3) == .appended(version: 4))
        #expect(try desk.append(.numbered(4), to: .red, expecting: 3) == .repeated(version: 4))
        try desk.fill(.red, from: 5, to: 6)
        let records = try desk.load(.red).get()
        #expect(records.map(\.version) == Array(1...6))
        #expect(follower.records(1) == records)
        desk.log.close()
        #expect(try place.open().load(.red) == .success(records))
    }

    @Test("an idle log notices too, and counts it", arguments: Displacement.all)
    func noticesWhenIdle(displacement: Displacement) throws {
        let desk = try place.open()
        try desk.fill(.red, to: 3)
        desk.log.watchAvailability(into: watcher)
        try displacement.happen(place)
        try waitUntilDown()
        #expect((desk.log as? SQLiteLog)?.counters.failures == 1)
        try displacement.end(place)
        try watcher.wait { $0.availability == .available }
        #expect(try desk.load(.red).get().count == 3)
    }

    @Test("a deleted log is not created again, and closing it does not touch what is in its place")
    func leavesOthersAlone() throws {
        let desk = try place.open()
        try desk.fill(.red, to: 3)
        try place.remove("data")
        desk.log.watchAvailability(into: watcher)
        try waitUntilDown()
        #expect(!place.exists("data"))
        // Another log starts there. Neither takes the other's files for its own.
        let other = try place.open()
        try other.fill(.blue, to: 5)
        let replaced = EventLogError.replaced(path: place.path("data/log.sqlite"))
        try watcher.wait { $0.availability == .unavailable(replaced) }
        desk.log.close()
        #expect(place.exists("data/log.sqlite-wal"))
        try other.fill(.blue, from: 6, to: 7)
        #expect(try other.load(.blue).get().count == 7)
        other.log.close()
        #expect(try place.open().everything().records.count == 7)
    }

    @Test("a folder that was moved away keeps what is in its write-ahead log when the log is closed")
    func keepsJournal() throws {
        let desk = try place.open()
        try desk.fill(.red, to: 3)
        try place.move("data", "aside")
        desk.log.watchAvailability(into: watcher)
        try waitUntilDown()
        desk.log.close()
        #expect(!place.exists("data"))
        try place.move("aside", "data")
        #expect(try place.open().load(.red).get().count == 3)
    }

    @Test("without its write-ahead log the log itself holds what was acknowledged", arguments: [false, true])
    func savesJournal(isClosed: Bool) throws {
        let desk = try place.open()
        try desk.fill(.red, to: 3)
        try place.remove("data/log.sqlite-wal")
        desk.log.watchAvailability(into: watcher)
        try waitUntilDown()
        if isClosed { desk.log.close() }
        try place.makeFolder("copy")
        try place.copy("data/log.sqlite", "copy/log.sqlite")
        #expect(try SQLiteLogReader(folder: place.path("copy")).records(of: .red, after: 0, limit: 9).count == 3)
        if isClosed { try place.open().fill(.red, from: 4, to: 5) }
    }
}
