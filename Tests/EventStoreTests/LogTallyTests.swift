import Foundation
import Testing

@testable import EventStore

@Suite("Notes by which missing records are found") struct LogTallyTests {
    private let folder = TemporaryFolder()
    private var path: String { LogFile(folder: folder.path).path }

    /// A log with two rooms and two names, one of them erased. Returns the note about it.
    private func written() throws -> LogTally {
        let desk = Desk(try SQLiteLog(folder: folder.path))
        defer { desk.log.close() }
        try desk.fill(.red, to: 5)
        try desk.fill(.ada, to: 2)
        try desk.fill(.name("eve"), to: 1)
        try desk.fill(.blue, to: 3)
        #expect(try desk.erase(.ada) == .appended(version: 0))
        return try #require(desk.log.tally)
    }

    private func change(_ sql: String) throws { try Database(path: path, access: .readWrite).execute(sql) }

    /// By reading all of it.
    private func read() throws -> LogTally { try RecordReader(try LogFile(folder: folder.path).openToRead()).tally() }

    @Test("the writer's tally equals that of reading the whole log") func counts() throws {
        let noted = try written()
        #expect(try read() == noted)
        #expect(noted.position == 12 && noted.lasting.count == 8 && noted.erasable.count == 1)
        #expect(LogTally(text: noted.text) == noted)
    }

    @Test("a log that is opened again continues from the note, or reads everything", arguments: [true, false])
    func goesOn(isNoted: Bool) throws {
        let noted = try written()
        let log = try SQLiteLog(folder: folder.path)
        try Desk(log).fill(.red, from: 6, to: 8)
        log.close()
        let again = try SQLiteLog(folder: folder.path, noted: isNoted ? noted : nil)
        #expect(again.tally == log.tally && again.difference == nil)
        again.close()
    }

    @Test("records erased after the note are not expected") func passesOverErased() throws {
        let noted = try written()
        let log = try SQLiteLog(folder: folder.path)
        _ = try Desk(log).erase(.name("eve"))
        log.close()
        let again = try SQLiteLog(folder: folder.path, noted: noted)
        #expect(try again.tally == read() && again.difference == nil)
        again.close()
        #expect(noted.difference(from: try read(), at: 13, hasErased: true) == nil)
    }

    @Test(
        "differences from the note are found",
        arguments: [
            ("DELETE FROM records WHERE position > 9", LogDifference.older(by: 3, than: 12)),
            ("DELETE FROM records WHERE position = 5", .lacks(1, upTo: 12)),
            ("DELETE FROM records WHERE position = 8", .lacks(1, upTo: 12)),
            ("UPDATE records SET commit_id = CAST('commit-9' AS BLOB) WHERE position = 2", .altered(upTo: 12)),
            ("UPDATE records SET type = 'text' WHERE position = 2", .altered(upTo: 12)),
            ("UPDATE records SET time = time + 1 WHERE position = 8", .altered(upTo: 12)),
        ])
    func finds(change sql: String, difference: LogDifference) throws {
        let noted = try written()
        if case .older = difference { try change("DELETE FROM marks; DELETE FROM erasures") }
        try change(sql)
        let found = try read()
        #expect(noted.difference(from: found, at: found.position, hasErased: false) == difference)
        // A start does not look at each record.
        let log = try SQLiteLog(folder: folder.path, noted: noted)
        if case .altered = difference { #expect(log.difference == nil) } else { #expect(log.difference == difference) }
        // An older log is taken as it is. Records missing in one that is not older stay missing.
        if case .older = difference { #expect(log.tally == found) } else { #expect(log.tally == noted) }
        log.close()
    }

    @Test(
        "an invalid note says nothing",
        arguments: ["", "12", "12 8 00 1 00", "-1 0 \(zeros) 0 \(zeros)", "1 2 \(zeros) x \(zeros)"])
    func refuses(text: String) { #expect(LogTally(text: text) == nil) }

    private static let zeros = String(repeating: "0", count: 64)
}

// A failed transaction leaves its effect on the tally in doubt.
extension SQLiteFailureTests {
    @Test("after a failure the tally is right, whether or not the failed transaction is in the log")
    func countsAfterFailure() throws {
        let place = try LogPlace()
        let desk = try place.open(system: FaultySystem.begin())
        try desk.fill(.red, to: 3)
        try desk.fill(.ada, to: 2)
        moveAway(place)
        #expect(try desk.erase(.ada) == .outcomeUnknown)
        try place.move("aside", "data")
        let watcher = RecordingInbox()
        desk.log.watchAvailability(into: watcher)
        try watcher.wait { $0.last == .availability(.available) }
        try desk.fill(.blue, to: 1)
        let reader = try RecordReader(try LogFile(folder: place.path("data")).openToRead())
        #expect(try desk.log.tally == reader.tally())
    }
}
