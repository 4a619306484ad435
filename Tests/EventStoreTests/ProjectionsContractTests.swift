import Cryptography
import Testing

@testable import EventStore

/// Projections, and questions to them that wait for the answer.
private struct Shelf {
    let projections: any Projections

    init(_ projections: any Projections) { self.projections = projections }

    func position() throws -> Int {
        try ask({ projections.position(ticket: 1, answer: $0) }) {
            if case .reached(1, let result) = $0 { result } else { nil }
        }
    }

    func players(_ ids: [String]) throws -> [PlayerRow] {
        try ask({ projections.players(ids: ids, ticket: 2, answer: $0) }) {
            if case .players(2, let result) = $0 { result } else { nil }
        }
    }

    func player(tokenHash: String) throws -> [PlayerRow] {
        try ask({ projections.player(tokenHash: tokenHash, ticket: 3, answer: $0) }) {
            if case .players(3, let result) = $0 { result } else { nil }
        }
    }

    func rooms(_ question: (any LogInbox) -> Void) throws -> [RoomRow] {
        try ask(question) { if case .rooms(4, let result) = $0 { result } else { nil } }
    }

    func due(before time: Int, limit: Int = 100) throws -> [String] {
        try rooms { projections.rooms(dueFrom: .min, before: time, limit: limit, ticket: 4, answer: $0) }.map(\.code)
    }

    func open(limit: Int = 100) throws -> [String] {
        try rooms { projections.openRooms(limit: limit, ticket: 4, answer: $0) }.map(\.code)
    }

    func opened(by player: String, since start: Int, limit: Int = 100) throws -> [String] {
        try rooms { projections.rooms(openedBy: player, since: start, limit: limit, ticket: 4, answer: $0) }.map(\.code)
    }

    private func ask<Answer>(
        _ question: (any LogInbox) -> Void, _ pick: (LogMessage) -> Result<Answer, EventLogError>?
    ) throws -> Answer {
        let inbox = RecordingInbox()
        question(inbox)
        return try inbox.wait(for: pick).get()
    }
}

extension PlayerRow {
    fileprivate static func test(_ name: String, id: String? = nil) -> PlayerRow {
        PlayerRow(
            id: id ?? "id-" + name, name: name, folded: name.lowercased(), tokenHash: "token-" + name,
            head: SHA256.digest(of: id ?? "id-" + name))
    }
}

extension RoomRow {
    fileprivate static func test(
        _ code: String, version: Int = 1, opener: String = "ada", opened: Int = 0, isPublic: Bool = true,
        isOpen: Bool = true, deadline: Int? = nil, changed: Int = 0, summary: [UInt8] = [1, 0, 255]
    ) -> RoomRow {
        RoomRow(
            code: code, version: version, opener: opener, opened: opened, isPublic: isPublic, isOpen: isOpen,
            deadline: deadline, changed: changed, summary: summary)
    }
}

@Suite("Every engine: projections") struct ProjectionsContractTests {
    @Test("the position is what was reached last; rows alone leave it", arguments: Engine.all)
    func keepsPosition(engine: Engine) throws {
        let shelf = Shelf(try engine.openProjections(Place()))
        #expect(try shelf.position() == 0)
        shelf.projections.apply([.room(.test("red"))], reached: 7)
        #expect(try shelf.position() == 7)
        shelf.projections.apply([.player(.test("Ada"))], reached: nil)
        #expect(try shelf.position() == 7)
        shelf.projections.apply([], reached: 9)
        #expect(try shelf.position() == 9)
    }

    @Test("players are found by id, in the order asked, and by token", arguments: Engine.all)
    func findsPlayers(engine: Engine) throws {
        let shelf = Shelf(try engine.openProjections(Place()))
        let (ada, bob) = (PlayerRow.test("Ada"), PlayerRow.test("Bøb"))
        shelf.projections.apply([.player(ada), .player(bob)], reached: 2)
        #expect(try shelf.players(["id-Bøb", "nobody", "id-Ada"]) == [bob, ada])
        #expect(try shelf.players([]) == [])
        #expect(try shelf.player(tokenHash: "token-Ada") == [ada])
        #expect(try shelf.player(tokenHash: "token") == [])
    }

    @Test("an erased player is gone, and the name may come again", arguments: Engine.all)
    func erasesPlayer(engine: Engine) throws {
        let shelf = Shelf(try engine.openProjections(Place()))
        let ada = PlayerRow.test("Ada")
        shelf.projections.apply([.player(ada), .playerErased(head: ada.head)], reached: 2)
        #expect(try shelf.players(["id-Ada"]) == [])
        #expect(try shelf.player(tokenHash: "token-Ada") == [])
        let again = PlayerRow.test("Ada", id: "another")
        // Who bore the name before is known by another head.
        shelf.projections.apply([.player(again), .playerErased(head: ada.head)], reached: 3)
        #expect(try shelf.players(["id-Ada", "another"]) == [again])
    }

    @Test(
        "a room's row is replaced unless it is of a later version", arguments: Engine.all,
        [(version: 4, replaced: false), (5, true), (6, true)])
    func replacesRoom(engine: Engine, row: (version: Int, replaced: Bool)) throws {
        let shelf = Shelf(try engine.openProjections(Place()))
        let old = RoomRow.test("red", version: 5, deadline: 10, changed: 1)
        let new = RoomRow.test(
            "red", version: row.version, opener: "bob", opened: 7, isPublic: false, deadline: nil, changed: 2,
            summary: [])
        shelf.projections.apply([.room(old)], reached: 1)
        shelf.projections.apply([.room(new)], reached: 2)
        let kept = row.replaced ? new : old
        #expect(
            try shelf.rooms {
                shelf.projections.rooms(openedBy: kept.opener, since: 0, limit: 9, ticket: 4, answer: $0)
            } == [kept])
        #expect(try shelf.due(before: 11) == (row.replaced ? [] : ["red"]))
    }

    @Test("rooms that are due: the earliest first, none without a deadline, none later", arguments: Engine.all)
    func findsDueRooms(engine: Engine) throws {
        let shelf = Shelf(try engine.openProjections(Place()))
        let rows = [
            RoomRow.test("late", deadline: 30), .test("never"), .test("early", isPublic: false, deadline: 10),
            .test("shut", isOpen: false, deadline: 20), .test("exact", deadline: 25),
        ]
        shelf.projections.apply(rows.map { .room($0) }, reached: 5)
        #expect(try shelf.due(before: 25) == ["early", "shut"])
        #expect(try shelf.due(before: 26) == ["early", "shut", "exact"])
        #expect(try shelf.due(before: .max, limit: 3) == ["early", "shut", "exact"])
        #expect(try shelf.due(before: 10) == [])
    }

    @Test("open public rooms, the last changed first", arguments: Engine.all)
    func findsOpenRooms(engine: Engine) throws {
        let shelf = Shelf(try engine.openProjections(Place()))
        let rows = [
            RoomRow.test("a", changed: 1), .test("b", changed: 3), .test("c", isPublic: false, changed: 4),
            .test("d", isOpen: false, changed: 5), .test("e", changed: 2),
        ]
        shelf.projections.apply(rows.map { .room($0) }, reached: 5)
        #expect(try shelf.open() == ["b", "e", "a"])
        #expect(try shelf.open(limit: 2) == ["b", "e"])
        shelf.projections.apply([.room(.test("b", version: 2, isOpen: false, changed: 9))], reached: 6)
        #expect(try shelf.open() == ["e", "a"])
    }

    @Test(
        "rooms that a player has opened since then, the newest first, private and closed ones too",
        arguments: Engine.all)
    func findsOpenedRooms(engine: Engine) throws {
        let shelf = Shelf(try engine.openProjections(Place()))
        let rows = [
            RoomRow.test("old", opened: 9, changed: 50), .test("a", opened: 10),
            .test("c", opened: 12, isPublic: false),
            .test("b", opener: "bob", opened: 13), .test("d", opened: 11, isOpen: false),
        ]
        shelf.projections.apply(rows.map { .room($0) }, reached: 5)
        #expect(try shelf.opened(by: "ada", since: 10) == ["c", "d", "a"])
        #expect(try shelf.opened(by: "ada", since: 10, limit: 1) == ["c"])
        #expect(try shelf.opened(by: "eve", since: 0) == [])
    }
}
