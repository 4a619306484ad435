import Cryptography
import Foundation
import Records
import Synchronization
import Testing

@testable import EventStore
@testable import Hub

/// Read models of one loop, with questions that wait for their answer.
final class WaitingReadModels {
    let models: ReadModels
    private let inbox = Inbox()

    init(_ store: any RowStore) { models = ReadModels(store) { [inbox] in inbox.deliver($0) } }

    func ask<Answer>(
        _ question: (ReadModels, @escaping (Result<Answer, EventLogError>) -> Void) -> Void
    ) throws -> Answer {
        var answer: Result<Answer, EventLogError>?
        question(models) { answer = $0 }
        models.answerArrived(inbox.next())
        return try #require(answer).get()
    }

    /// The rows of `query`. Also checks that it walks along an index, without sorting.
    func find<Row>(_ query: ReadModelQuery<Row>) throws -> [Row] {
        let database = try Database(path: ":memory:", access: .readWrite)
        try database.execute(ReadModels.layout.sql)
        for walk in query.walks {
            let statement = try database.prepare("EXPLAIN QUERY PLAN " + RowDialect.sqlite.select(walk))
            var steps: [String] = []
            while try statement.step() { steps.append(statement.text(3)) }
            #expect(steps.count == 1 && steps[0].contains(" INDEX "), "\(steps)")
        }
        return try ask { $0.find(query, then: $1) }
    }

    private final class Inbox: Sendable {
        private let answers = Mutex<[ReadModelAnswer]>([])
        private let arrived = DispatchSemaphore(value: 0)

        func deliver(_ answer: ReadModelAnswer) {
            answers.withLock { $0.append(answer) }
            arrived.signal()
        }

        func next() -> ReadModelAnswer {
            arrived.wait()
            return answers.withLock { $0.removeFirst() }
        }
    }
}

extension WaitingReadModels {
    fileprivate func players(_ ids: [String]) throws -> [PlayerRow] { try find(.players(ids: ids)) }

    fileprivate func due(before time: Int, limit: Int = 100) throws -> [String] {
        try find(.rooms(dueFrom: .min, before: time, limit: limit)).map(\.code)
    }

    fileprivate func open(limit: Int = 100) throws -> [String] {
        try find(.openRooms(limit: limit)).map(\.code)
    }

    fileprivate func opened(by player: String, since start: Int, limit: Int = 100) throws -> [RoomRow] {
        try find(.rooms(openedBy: player, since: start, limit: limit))
    }
}

extension PlayerRow {
    static func test(_ name: String, id: String? = nil) -> PlayerRow {
        PlayerRow(id: id ?? "id-" + name, name: name, head: SHA256.digest(of: (id ?? "id-") + name))
    }
}

extension RoomRow {
    static func test(
        _ code: String, version: Int = 1, opener: String = "ada", opened: Int = 0, isPublic: Bool = true,
        isOpen: Bool = true, deadline: Int? = nil, changed: Int = 0, summary: [UInt8] = [1, 0, 255],
        players: [String] = ["ada", "bot-1"]
    ) -> RoomRow {
        RoomRow(
            code: code, version: version, opener: opener, host: opener, opened: opened, isPublic: isPublic,
            isOpen: isOpen, deadline: deadline, changed: changed, summary: summary, players: players)
    }
}

/// Where the rows of read models are.
enum RowEngine: CaseIterable {
    case inMemory, sqlite

    func open() throws -> WaitingReadModels {
        switch self {
        case .inMemory: return WaitingReadModels(InMemoryRowStore())
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rows-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Open files stay, without a name.
            defer { try? FileManager.default.removeItem(at: folder) }
            return WaitingReadModels(try SQLiteRowStore(folder: folder.path, layout: ReadModels.layout))
        }
    }
}

@Suite("Read models, on every engine") struct ReadModelsTests {
    @Test("players are found by id, in the order asked", arguments: RowEngine.allCases)
    func findsPlayers(engine: RowEngine) throws {
        let rows = try engine.open()
        let (ada, bob) = (PlayerRow.test("Ada"), PlayerRow.test("Bøb"))
        rows.models.write([ada.change, bob.change], reached: 2)
        #expect(try rows.players(["id-Bøb", "nobody", "id-Ada"]) == [bob, ada])
        #expect(try rows.players([]) == [])
        #expect(try rows.ask { $0.position(then: $1) } == 2)
    }

    @Test("an erased player is gone, and the name can be used again", arguments: RowEngine.allCases)
    func erasesPlayer(engine: RowEngine) throws {
        let rows = try engine.open()
        let ada = PlayerRow.test("Ada")
        let erasure = PlayerRow.changes(by: Erasure(position: 2, head: ada.head))
        rows.models.write([ada.change] + erasure)
        #expect(try rows.players(["id-Ada"]) == [])
        let again = PlayerRow.test("Ada", id: "another")
        // The previous owner of the name is identified by another head.
        rows.models.write([again.change] + erasure)
        #expect(try rows.players(["id-Ada", "another"]) == [again])
    }

    @Test("a player's new name stays, whether the old one is erased before or after", arguments: RowEngine.allCases)
    func renamesPlayer(engine: RowEngine) throws {
        let (old, new) = (PlayerRow.test("Ada", id: "1"), PlayerRow.test("Ida", id: "1"))
        let erasure = PlayerRow.changes(by: Erasure(position: 2, head: old.head))
        for changes in [erasure + [new.change], [new.change] + erasure] {
            let rows = try engine.open()
            rows.models.write([old.change] + changes)
            #expect(try rows.players(["1"]) == [new])
        }
    }

    @Test(
        "a room's row is replaced unless it has a later version", arguments: RowEngine.allCases,
        [(version: 4, replaced: false), (5, true), (6, true)])
    func replacesRoom(engine: RowEngine, row: (version: Int, replaced: Bool)) throws {
        let rows = try engine.open()
        let old = RoomRow.test("red", version: 5, deadline: 10, changed: 1)
        let new = RoomRow.test(
            "red", version: row.version, opener: "bob", opened: 7, isPublic: false, deadline: nil, changed: 2,
            summary: [])
        rows.models.write([old.change])
        rows.models.write([new.change])
        let kept = row.replaced ? new : old
        #expect(try rows.opened(by: kept.opener, since: 0) == [kept])
        #expect(try rows.due(before: 11) == (row.replaced ? [] : ["red"]))
    }

    @Test(
        "rooms that are due: the earliest first, none without a deadline, none later", arguments: RowEngine.allCases)
    func findsDueRooms(engine: RowEngine) throws {
        let rows = try engine.open()
        let rooms: [RoomRow] = [
            .test("late", deadline: 30), .test("never"), .test("early", isPublic: false, deadline: 10),
            .test("shut", isOpen: false, deadline: 20), .test("exact", deadline: 25),
        ]
        rows.models.write(rooms.map(\.change))
        #expect(try rows.due(before: 25) == ["early", "shut"])
        #expect(try rows.due(before: 26) == ["early", "shut", "exact"])
        #expect(try rows.due(before: .max, limit: 3) == ["early", "shut", "exact"])
        #expect(try rows.due(before: 10) == [])
    }

    @Test("a room is found by its code", arguments: RowEngine.allCases)
    func findsRoom(engine: RowEngine) throws {
        let rows = try engine.open()
        let rooms: [RoomRow] = [.test("red", version: 3), .test("redder", players: []), .test("", isPublic: false)]
        rows.models.write(rooms.map(\.change))
        #expect(try rows.find(.rooms(codes: ["red"])) == [rooms[0]])
        #expect(try rows.find(.rooms(codes: ["redder"])) == [rooms[1]])
        #expect(try rows.find(.rooms(codes: ["redder", "re", "red"])) == [rooms[1], rooms[0]])
    }

    @Test("the newest snapshot of a room is found, whichever was written last", arguments: RowEngine.allCases)
    func findsSnapshot(engine: RowEngine) throws {
        let rows = try engine.open()
        let (old, new, other) = (SnapshotRow("red", 3), SnapshotRow("red", 7), SnapshotRow("redder", 5))
        for row in [new, other, old] { rows.models.writeRow(row) }
        #expect(try rows.find(.snapshot(ofRoom: "red")) == [new])
        #expect(try rows.find(.snapshot(ofRoom: "redder")) == [other])
        #expect(try rows.find(.snapshot(ofRoom: "r")) == [])
    }

    @Test("open public rooms, the last changed first", arguments: RowEngine.allCases)
    func findsOpenRooms(engine: RowEngine) throws {
        let rows = try engine.open()
        let rooms: [RoomRow] = [
            .test("a", changed: 1), .test("b", changed: 3), .test("c", isPublic: false, changed: 4),
            .test("d", isOpen: false, changed: 5), .test("e", changed: 2),
        ]
        rows.models.write(rooms.map(\.change))
        #expect(try rows.open() == ["b", "e", "a"])
        #expect(try rows.open(limit: 2) == ["b", "e"])
        rows.models.write([RoomRow.test("b", version: 2, isOpen: false, changed: 9).change])
        #expect(try rows.open() == ["e", "a"])
    }

    @Test("seats of a player in running games, newest first", arguments: RowEngine.allCases)
    func findsRunningSeats(engine: RowEngine) throws {
        let rows = try engine.open()
        let seats = [("a", "ada", 1), ("b", "ben", 2), ("c", "ada", 3), ("d", "ada", 2)].map { room, player, since in
            RunningSeatRow(room: room, seat: 0, player: player, since: since)
        }
        rows.models.write(seats.map(\.change))
        #expect(try rows.find(.seats(of: "ada", limit: 2)) == [seats[2], seats[3]])
        #expect(try rows.find(.seats(of: "cy", limit: 2)) == [])
    }

    @Test(
        "rooms that a player has opened since a time, newest first, also private and closed ones",
        arguments: RowEngine.allCases)
    func findsOpenedRooms(engine: RowEngine) throws {
        let rows = try engine.open()
        let rooms: [RoomRow] = [
            .test("old", opened: 9, changed: 50), .test("a", opened: 10), .test("c", opened: 12, isPublic: false),
            .test("b", opener: "bob", opened: 13), .test("d", opened: 11, isOpen: false),
        ]
        rows.models.write(rooms.map(\.change))
        #expect(try rows.opened(by: "ada", since: 10).map(\.code) == ["c", "d", "a"])
        #expect(try rows.opened(by: "ada", since: 10, limit: 1).map(\.code) == ["c"])
        #expect(try rows.opened(by: "eve", since: 0) == [])
    }
}

extension SnapshotRow {
    fileprivate init(_ code: String, _ version: Int) {
        self.init(
            code: code, end: StreamEnd(version: version, head: SHA256.digest(of: "\(code) \(version)")),
            bytes: Array("{}".utf8))
    }
}
