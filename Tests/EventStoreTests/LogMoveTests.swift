import Foundation
import Records
import Testing

@testable import EventStore

/// A place to move a log from or to, deleted with its test.
private final class MovePlace {
    enum Kind: String, CaseIterable { case sqlite, postgreSQL }

    private let folder = TemporaryFolder()
    let address: LogAddress

    init(_ kind: Kind) throws {
        switch kind {
        case .sqlite: address = .sqlite(folder: folder.path)
        case .postgreSQL:
            let server = try PostgreSQLServer.shared.get()
            let database = "move_" + UUID().uuidString.prefix(8).lowercased()
            try server.connect().run("CREATE DATABASE \(database)")
            address = .postgreSQL("postgresql://flipside@/\(database)?host=\(server.folder)")
        }
    }

    func open() throws -> any EventLog {
        switch address {
        case .sqlite(let folder): try SQLiteLog(folder: folder)
        case .postgreSQL(let address): try PostgreSQLLog(address: address)
        }
    }
}

@Suite("Moving a log", .needsServer)
struct LogMoveTests {
    /// Rooms, a commit in two streams, an erased account and bytes of every kind.
    private func fill(_ place: MovePlace) throws {
        let desk = Desk(try place.open())
        try desk.fill(.red, to: 2_500)
        try desk.fill(.ada, to: 3)
        let odd = Event(time: 7, type: "odd", shown: [0, 255, 10], sealed: [])
        let parts: [Commit.Part] = [
            .append([odd, odd], to: .blue, expecting: StreamName.blue.start),
            .append([odd], to: .hub, expecting: StreamName.hub.start),
        ]
        #expect(try desk.append(Commit(id: "both\0é", parts: parts)) == .appended(version: 2))
        let end = try desk.end(of: .ada, at: 3)
        #expect(try desk.append(Commit(id: "gone", parts: [.erase(.ada, expecting: end)])) == .appended(version: 0))
    }

    private func content(_ address: LogAddress) throws -> (records: [Record], erasures: [Erasure], last: Int) {
        let reader = try address.openReader()
        return (
            try reader.records(afterPosition: 0, limit: .max), try reader.erasures(afterPosition: 0, limit: .max),
            try reader.lastPosition()
        )
    }

    @Test(
        "everything stays the same: records, erasures, positions, heads",
        arguments: MovePlace.Kind.allCases, MovePlace.Kind.allCases)
    fileprivate func carries(from: MovePlace.Kind, to: MovePlace.Kind) throws {
        let (source, target) = (try MovePlace(from), try MovePlace(to))
        try fill(source)
        let before = try content(source.address)
        var steps: [LogMove.Step] = []
        let move = try LogMove(from: source.address, to: target.address) { steps.append($0) }
        #expect(move.streams == 3 && move.events == 2_503 && move.erasures == 1)
        let carried = [999, 1_999, 2_502].map { before.records[$0].position }
        #expect(
            steps == carried.map { .carried(position: $0, last: before.last) } + [.compared(streams: 3)])
        let after = try content(target.address)
        #expect(before.records == after.records && before.erasures == after.erasures && before.last == after.last)
        #expect(try content(source.address).records == before.records)

        // It continues where it was: an earlier commit is known, and positions grow.
        let desk = Desk(try target.open())
        #expect(try desk.load(.red).get().count == 2_500)
        let end = try desk.end(of: .red, at: 2_500)
        #expect(
            try desk.append(Commit(id: "new", appending: [before.records[0].event], to: .red, expecting: end))
                == .appended(version: 2_501))
        #expect(try desk.load(.red).get().last?.position == before.last + 1)
        #expect(try desk.append(before.records[7].commitAgain(expecting: end)) == .repeated(version: 8))
    }

    @Test("an empty log can be moved too", arguments: MovePlace.Kind.allCases)
    fileprivate func carriesNothing(to: MovePlace.Kind) throws {
        let (source, target) = (try MovePlace(.sqlite), try MovePlace(to))
        try source.open().close()
        #expect(try LogMove(from: source.address, to: target.address).events == 0)
        let desk = Desk(try target.open())
        try desk.fill(.red, to: 1)
        #expect(try desk.load(.red).get().map(\.position) == [1])
    }

    @Test("a place that already holds something is left as it is", arguments: MovePlace.Kind.allCases)
    fileprivate func refusesFull(to: MovePlace.Kind) throws {
        let (source, target) = (try MovePlace(.sqlite), try MovePlace(to))
        try fill(source)
        try Desk(target.open()).fill(.red, to: 1)
        #expect {
            try LogMove(from: source.address, to: target.address)
        } throws: { error in
            if case .notEmpty = error as? EventLogError { true } else { false }
        }
        #expect(try content(target.address).records.count == 1)
    }

    @Test("a running hub, or a place without a log, is reported", arguments: MovePlace.Kind.allCases)
    fileprivate func refusesNothing(from: MovePlace.Kind) throws {
        let (source, target) = (try MovePlace(from), try MovePlace(.sqlite))
        #expect {
            try LogMove(from: source.address, to: target.address)
        } throws: { error in
            if case .cannotOpen = error as? EventLogError { true } else { false }
        }
        guard case .sqlite(let folder) = source.address else { return }
        let log = try source.open()
        #expect(throws: EventLogError.inUse(path: folder + "/log.sqlite")) {
            try LogMove(from: source.address, to: target.address)
        }
        log.close()
    }
}

extension Record {
    /// Another commit of the same id.
    fileprivate func commitAgain(expecting end: StreamEnd) -> Commit {
        Commit(id: commit, appending: [event], to: stream, expecting: end)
    }
}
