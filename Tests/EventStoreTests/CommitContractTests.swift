import Cryptography
import Records
import Testing

@testable import EventStore

@Suite("Every engine: commits over several streams") struct CommitContractTests {
    private let inbox = RecordingInbox()

    /// Two events to red, Ada's stream erased, one event to Eve's. Red and Ada's have one record before.
    private func commit(id: CommitID = "many", over desk: Desk) throws -> Commit {
        try Commit(
            id: id,
            parts: [
                .append([.test(1), .test(2)], to: .red, expecting: desk.end(of: .red)),
                .erase(.ada, expecting: desk.end(of: .ada)),
                .append([.test(3)], to: .eve, expecting: desk.end(of: .eve)),
            ])
    }

    private func filled(_ engine: Engine) throws -> Desk {
        let desk = try Desk(engine)
        for stream in [StreamName.red, .ada] { try desk.fill(stream, to: 1) }
        return desk
    }

    @Test("all parts are done, and each is delivered in its place before the answer", arguments: Engine.all)
    func doesAll(engine: Engine) throws {
        let desk = try filled(engine)
        let commit = try commit(over: desk)
        for (ticket, stream) in [StreamName.red, .ada, .eve, nil].enumerated() {
            try desk.follow(stream, ticket: Ticket(ticket), into: inbox)
        }
        let (before, position) = (inbox.messages.count, try desk.everything().position)
        let erased = try desk.end(of: .ada).head
        desk.log.append(commit, ticket: 4, answer: inbox)
        try inbox.wait { $0.last == .settled(4, .appended(version: 3)) }

        let red = Array(try desk.load(.red).get()[1...])
        let eve = try desk.load(.eve).get()
        let erasure = Erasure(position: position + 3, head: erased)
        #expect(
            Array(inbox.messages[before...]) == [
                .records(0, red), .records(3, red), .erased(1, erasure), .erased(3, erasure), .records(2, eve),
                .records(3, eve), .settled(4, .appended(version: 3)),
            ])
        #expect((red + eve).map(\.position) == [position + 1, position + 2, position + 4])
        #expect((red + eve).allSatisfy { $0.commit == "many" })
        #expect(try desk.load(.ada) == .success([]))
        #expect(try desk.everything().records.map(\.stream) == [.red, .red, .red, .eve])
    }

    @Test(
        "a stream that ends elsewhere is named, and nothing is done",
        arguments: Engine.all, [StreamName.red, .ada, .eve])
    func doesNothing(engine: Engine, moved: StreamName) throws {
        let desk = try filled(engine)
        let commit = try commit(over: desk)
        try desk.fill(moved, from: moved == .eve ? 1 : 2, to: 2)
        let before = try desk.everything()
        #expect(try desk.append(commit) == .conflict(moved, actual: try desk.end(of: moved)))
        #expect(try desk.everything() == before)
        // The refused commit's id is not used up.
        #expect(try desk.append(self.commit(over: desk)) == .appended(version: moved == .red ? 4 : 3))
    }

    @Test("of several streams that end elsewhere the first is named", arguments: Engine.all)
    func namesTheFirst(engine: Engine) throws {
        let desk = try filled(engine)
        let commit = try commit(over: desk)
        try desk.fill(.ada, from: 2, to: 2)
        try desk.fill(.eve, to: 1)
        #expect(try desk.append(commit) == .conflict(.ada, actual: try desk.end(of: .ada)))
    }

    @Test(
        "a repeated commit is not done again, and the first stream that has it gives the version",
        arguments: Engine.all, [false, true])
    func doesOnce(engine: Engine, isForgotten: Bool) throws {
        let desk = try filled(engine)
        let (parts, again) = (try commit(over: desk), try commit(over: desk))
        #expect(try desk.append(parts) == .appended(version: 3))
        try desk.fill(.ada, to: 1)
        if isForgotten { #expect(try desk.erase(.eve) == .appended(version: 0)) }
        let before = try desk.everything()
        #expect(try desk.append(again) == .repeated(version: 3))
        // Also by the second of its streams alone.
        let other = Commit(
            id: "many",
            parts: [
                .append([.test(5)], to: .blue, expecting: StreamName.blue.start),
                .append([.test(5)], to: .red, expecting: StreamName.red.start),
            ])
        #expect(try desk.append(other) == .repeated(version: 3))
        #expect(try desk.everything() == before)
    }

    @Test("a commit that only erases leaves no id, and a repetition finds nothing to erase", arguments: Engine.all)
    func erasesOnce(engine: Engine) throws {
        let desk = try filled(engine)
        try desk.fill(.eve, to: 2)
        let commit = try Commit(
            id: "both",
            parts: [.erase(.ada, expecting: desk.end(of: .ada)), .erase(.eve, expecting: desk.end(of: .eve))])
        #expect(try desk.append(commit) == .appended(version: 0))
        #expect(try desk.everything().records.map(\.stream) == [.red])
        #expect(try desk.append(commit) == .conflict(.ada, actual: StreamName.ada.start))
    }

    @Test("commits in one batch are judged one after the other", arguments: Engine.all)
    func judgesInOrder(engine: Engine) throws {
        let desk = try filled(engine)
        let (first, second) = (try commit(id: "first", over: desk), try commit(id: "second", over: desk))
        let third = Draft.numbered(2).commit(to: .ada, expecting: try desk.end(of: .ada))
        let fourth = Draft.numbered(2).commit(to: .ada, expecting: StreamName.ada.start)
        for (ticket, commit) in [first, second, third, fourth].enumerated() {
            desk.log.append(commit, ticket: Ticket(ticket), answer: inbox)
        }
        try inbox.wait { $0.count == 4 }
        let red = try desk.end(of: .red)
        #expect(
            inbox.messages == [
                .settled(0, .appended(version: 3)), .settled(1, .conflict(.red, actual: red)),
                .settled(2, .conflict(.ada, actual: StreamName.ada.start)), .settled(3, .appended(version: 1)),
            ])
    }

    @Test("streams that may be erased have known prefixes")
    func knowsErasable() {
        let erasable = ["name/ada", "name/", "account/1", "token/2"]
        let names = erasable + ["room/red", "hub", "names", "Name/ada", "player/ada", ""]
        #expect(names.filter { StreamName(text: $0).isErasable } == erasable)
    }
}

extension StreamName {
    fileprivate static let eve = StreamName.name("eve")
}
