import EventStore
import Foundation
import Records
import Testing

@testable import Hub
@testable import RoomRules

@Suite("The check of a whole log") struct LogCheckTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("log-check-\(UUID())").path
    private let log: SQLiteLog
    private let desk: BlockingLog

    init() throws {
        log = try SQLiteLog(folder: folder)
        desk = BlockingLog(log)
        for name in ["ada", "grace"] { try begin(.name(name)) }
    }

    private func begin(_ stream: StreamName) throws {
        let event = Event(time: 0, type: "given", shown: Array("{}".utf8))
        let commit = Commit(id: "\(stream.text)", appending: [event], to: stream, expecting: stream.start)
        #expect(desk.append(commit) == .appended(version: 1))
    }

    private func check(_ reader: any LogReader) throws -> (check: LogCheck, faults: [String]) {
        var (check, faults) = (LogCheck(noted: nil, games: try GameCatalog([])), [String]())
        try check.checkLog(through: reader) { faults.append($0) }
        return (check, faults)
    }

    @Test("a stream that is erased after it was listed is not damage", arguments: [false, true])
    func passesOverErased(isBegunAgain: Bool) throws {
        let end = try #require(try desk.load(.name("ada")).last?.end)
        let reader = InterruptedReader(try SQLiteLogReader(folder: folder)) {
            let commit = Commit(id: "gone", parts: [.erase(.name("ada"), expecting: end)])
            #expect(desk.append(commit) == .appended(version: 0))
            if isBegunAgain { try begin(.name("ada")) }
        }
        let (check, faults) = try check(reader)
        #expect(faults.isEmpty && check.faults == 0)
        #expect(check.others == (isBegunAgain ? 2 : 1))
        log.close()
        try FileManager.default.removeItem(atPath: folder)
    }
}

/// Reads a log in which something happens right after its streams have been listed.
private final class InterruptedReader: LogReader {
    private let reader: any LogReader
    private let happen: () throws -> Void

    init(_ reader: any LogReader, _ happen: @escaping () throws -> Void) {
        (self.reader, self.happen) = (reader, happen)
    }

    func streams(after name: StreamName?, limit: Int) throws(EventLogError) -> [StreamName] {
        let names = try reader.streams(after: name, limit: limit)
        #expect(throws: Never.self) { try happen() }
        return names
    }

    func has(_ stream: StreamName) throws(EventLogError) -> Bool { try reader.has(stream) }
    func atOneMoment(_ body: () throws -> Void) throws { try reader.atOneMoment(body) }
    func end(of stream: StreamName) throws(EventLogError) -> StreamEnd { try reader.end(of: stream) }
    func records(of stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reader.records(of: stream, after: version, limit: limit)
    }
    func records(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Record] {
        try reader.records(afterPosition: position, limit: limit)
    }
    func erasures(afterPosition position: Int, limit: Int) throws(EventLogError) -> [Erasure] {
        try reader.erasures(afterPosition: position, limit: limit)
    }
    func lastPosition() throws(EventLogError) -> Int { try reader.lastPosition() }
}
