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
        try desk.follow(stream, ticket: 1, into: inbox)
        try desk.follow(nil, ticket: 2, into: inbox)
    }

    @Test(
        "others' records of a stream come before an answer of conflict or repeated", arguments: Engine.shared, [9, 2])
    func tellsBeforeAnswer(engine: Engine, number: Int) throws {
        let (one, other) = try open(engine)
        try one.fill(.red, to: 1)
        try follow(.red, on: one)
        try other.fill(.red, from: 2, to: 4)
        one.log.append(.numbered(number), to: .red, expecting: 1, ticket: 3, answer: inbox)
        let answer = try inbox.answer(3)
        #expect(answer == (number == 2 ? .repeated(version: 2) : .conflict(.red, actual: try other.end(of: .red))))
        let before = inbox.messages.prefix { if case .settled = $0 { false } else { true } }
        #expect(try Array(before).records(1) == other.load(.red).get())
    }

    @Test(
        "if no one follows all streams, polling still brings others' records of the stream hub",
        arguments: Engine.shared)
    func pollsHub(engine: Engine) throws {
        let (one, other) = try open(engine)
        try one.follow(.hub, ticket: 1, into: inbox)
        try one.follow(.red, ticket: 2, into: inbox)
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
        try inbox.wait { $0.records(2).last?.stream == .ada }
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
        try inbox.wait { $0.records(2).last?.commit == "again" }
        let erasure = Erasure(position: last.position + 1, head: last.hash)
        let again = try one.load(.ada).get()
        let told = inbox.messages.drop { !$0.isErasure }
        #expect(
            Array(told) == [.erased(1, erasure), .erased(2, erasure), .records(1, again), .records(2, again)])
    }
}
