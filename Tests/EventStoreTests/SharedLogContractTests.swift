import Records
import Testing

@testable import EventStore

@Suite("Every engine that several may write to") struct SharedLogContractTests {
    private let inbox = RecordingInbox()

    /// Two logs at one place.
    private func open(_ engine: Engine) throws -> (one: Desk, other: Desk) {
        let place = Place()
        return (Desk(try engine.open(place), in: place), Desk(try engine.open(place), in: place))
    }

    /// The inbox follows `stream`, and all streams, on `desk`.
    private func follow(_ stream: StreamName, on desk: Desk) throws {
        desk.log.follow(stream, after: 0, ticket: 1, into: inbox)
        desk.log.followAll(after: 0, ticket: 2, into: inbox)
        try inbox.wait { $0.count { if case .caughtUp = $0 { true } else { false } } == 2 }
    }

    @Test("others' records of a stream come before an answer of conflict", arguments: Engine.shared)
    func tellsBeforeConflict(engine: Engine) throws {
        let (one, other) = try open(engine)
        try one.fill(.red, to: 1)
        try follow(.red, on: one)
        try other.fill(.red, from: 2, to: 4)
        one.log.append(.numbered(9), to: .red, expecting: 1, ticket: 3, answer: inbox)
        let answer = try inbox.wait { if case .settled(3, let answer) = $0 { answer } else { nil } }
        #expect(answer == .conflict(.red, actual: try other.end(of: .red)))
        let before = inbox.messages.prefix { if case .settled = $0 { false } else { true } }
        let told = before.flatMap { if case .records(1, let records) = $0 { records } else { [Record]() } }
        #expect(told == (try other.load(.red).get()))
    }

    @Test("others' records of a stream come before an answer of repeated", arguments: Engine.shared)
    func tellsBeforeRepeated(engine: Engine) throws {
        let (one, other) = try open(engine)
        try follow(.red, on: one)
        try other.fill(.red, to: 2)
        one.log.append(.numbered(1), to: .red, expecting: 0, ticket: 3, answer: inbox)
        let answer = try inbox.wait { if case .settled(3, let answer) = $0 { answer } else { nil } }
        #expect(answer == .repeated(version: 1))
        let before = inbox.messages.prefix { if case .settled = $0 { false } else { true } }
        let told = before.flatMap { if case .records(1, let records) = $0 { records } else { [Record]() } }
        #expect(told.map(\.version) == [1, 2])
    }

    @Test(
        "if no one follows all streams, polling still brings others' records of the stream hub",
        arguments: Engine.shared)
    func pollsHub(engine: Engine) throws {
        let place = Place()
        let (one, other) = (Desk(try engine.open(place)), Desk(try engine.open(place)))
        let inbox = RecordingInbox()
        for (ticket, stream) in [(1, StreamName.hub), (2, .red)] {
            one.log.follow(stream, after: 0, ticket: Ticket(ticket), into: inbox)
            try inbox.wait { $0.contains { if case .caughtUp(Ticket(ticket), _, _) = $0 { true } else { false } } }
        }
        try other.fill(.red, to: 2)
        try other.fill(.hub, to: 3)
        engine.poll(one.log)
        try inbox.wait { $0.records(1).count == 3 }
        #expect(inbox.records(2).isEmpty)
    }

    @Test("others' records come with the next poll, once, among this log's own", arguments: Engine.shared)
    func tellsAtPoll(engine: Engine) throws {
        let (one, other) = try open(engine)
        try follow(.red, on: one)
        for version in 1...3 {
            try other.fill(.red, from: version * 2 - 1, to: version * 2 - 1)
            try one.fill(.blue, from: version, to: version)
            if version == 2 { engine.poll(one.log) }
            try one.fill(.red, from: version * 2, to: version * 2)
        }
        try other.fill(.ada, to: 1)
        engine.poll(one.log)
        try inbox.wait {
            $0.contains { if case .records(2, let records) = $0 { records[0].stream == .ada } else { false } }
        }
        #expect(inbox.records(1) == (try one.load(.red).get()))
        #expect(inbox.records(2) == (try one.everything().records))
    }

    @Test("an erasure by another comes in its place among the records", arguments: Engine.shared)
    func tellsErasures(engine: Engine) throws {
        let (one, other) = try open(engine)
        try one.fill(.ada, to: 2)
        try follow(.ada, on: one)
        let before = try other.everything()
        let last = try #require(before.records.last)
        #expect(try other.erase(.ada) == .appended(version: 0))
        #expect(
            try other.append(Draft(id: "again", events: [.test(7)]), to: .ada, expecting: 0) == .appended(version: 1))
        engine.poll(one.log)
        try inbox.wait {
            $0.contains { if case .records(2, let records) = $0 { records[0].commit == "again" } else { false } }
        }
        let erasure = Erasure(position: last.position + 1, head: last.hash)
        let again = try one.load(.ada).get()
        let told = inbox.messages.drop { if case .erased = $0 { false } else { true } }
        #expect(
            Array(told) == [.erased(1, erasure), .erased(2, erasure), .records(1, again), .records(2, again)])
    }

    @Test("of two appends at one version one wins, and the other learns of it", arguments: Engine.shared)
    func hasOneWinner(engine: Engine) throws {
        let (one, other) = try open(engine)
        var end = StreamName.red.start
        for round in 0..<20 {
            let drafts = [1, 2].map { Draft(id: "\(round)-\($0)", events: [.test(round * 2 + $0)]) }
            let inboxes = [RecordingInbox(), RecordingInbox()]
            for (index, desk) in [one, other].enumerated() {
                desk.log.append(drafts[index].commit(to: .red, expecting: end), ticket: 1, answer: inboxes[index])
            }
            let answers = try inboxes.map {
                try $0.wait { if case .settled(1, let answer) = $0 { answer } else { nil } }
            }
            let winner = try #require(answers.firstIndex(of: .appended(version: round + 1)))
            end = end.after(drafts[winner].events)
            #expect(answers[1 - winner] == .conflict(.red, actual: end))
        }
        #expect(try one.load(.red).get().count == 20)
    }
}
