import Foundation
import Records
import Testing

@testable import EventStore

@Suite("Claims of streams, on every engine that several may write to") struct ClaimContractTests {
    private let place = Place()
    private let inbox = RecordingInbox()

    private func open(_ run: String, _ engine: Engine) throws -> Node { try Node(run, engine, at: place) }

    private func fence(
        _ run: String, by node: Node, renewals: Int? = nil, settled: Int? = nil, time: Int = 1
    ) throws -> AppendAnswer {
        let end = try node.desk.end(of: .hub)
        let id = CommitID(text: "fence \(run)")
        return try node.desk.append(.fence(run, id: id, at: end, renewals: renewals, settled: settled, time: time))
    }

    @Test("the first run gets it and may claim it again, and others learn who holds it", arguments: Engine.shared)
    func isTheFirsts(engine: Engine) throws {
        let (a, b) = (try open("a", engine), try open("b", engine))
        try a.desk.fill(.red, to: 2)
        let end = try a.desk.end(of: .red)
        let ofA = Claim(stream: .red, holder: "a", end: end)
        #expect(try a.claim() == ofA && a.claim() == ofA)
        #expect(try b.claim() == ofA)
        try a.release()
        #expect(try b.claim() == Claim(stream: .red, holder: "b", end: end))
        #expect(try a.claim().holder == "b")
    }

    @Test("a claim of a stream that does not exist has no holder", arguments: Engine.shared)
    func isNobodys(engine: Engine) throws {
        let a = try open("a", engine)
        #expect(try a.claim() == Claim(stream: .red, holder: nil, end: StreamName.red.start))
    }

    @Test("only its holder appends, or anyone if there is none", arguments: Engine.shared)
    func keepsOut(engine: Engine) throws {
        let (a, b) = (try open("a", engine), try open("b", engine))
        #expect(try a.append(1) == .appended(version: 1) && b.append(2) == .appended(version: 2))
        _ = try a.claim()
        #expect(try b.append(3) == .claimed(.red))
        let nobody = Desk(try engine.open(place))
        let end = try a.desk.end(of: .red)
        #expect(try nobody.append(Draft.numbered(3).commit(to: .red, expecting: end)) == .claimed(.red))
        // A repeated commit is answered as such. A commit with one claimed stream is refused as a whole.
        #expect(try b.desk.append(Draft.numbered(1).commit(to: .red, expecting: end)) == .repeated(version: 1))
        let both = Commit(
            id: "both",
            parts: [
                .append([.test(1)], to: .blue, expecting: StreamName.blue.start),
                .append([.test(1)], to: .red, expecting: end),
            ])
        #expect(try b.desk.append(both) == .claimed(.red))
        #expect(try a.desk.append(both) == .appended(version: 1))
        #expect(try a.append(4) == .appended(version: 4))
        try a.release()
        #expect(try b.append(5) == .appended(version: 5))
    }

    @Test("appends before the release are judged before it", arguments: Engine.shared)
    func isInOrder(engine: Engine) throws {
        let (a, b) = (try open("a", engine), try open("b", engine))
        try a.desk.fill(.red, to: 1)
        _ = try a.claim()
        a.log.append(.numbered(2), to: .red, expecting: 1, ticket: 3, answer: inbox)
        a.log.release(.red, owed: nil, at: 1, ticket: 4, answer: inbox)
        a.log.claim(.red, ticket: 5, answer: inbox)
        try inbox.wait { $0.count == 3 }
        #expect(inbox.messages.map(\.ticket) == [3, 4, 5])
        #expect(inbox.messages[0] == .settled(3, .appended(version: 2)))
        #expect(try b.claim() == Claim(stream: .red, holder: "a", end: try b.desk.end(of: .red)))
    }

    @Test("the earliest time owed is kept until the holder appends", arguments: Engine.shared)
    func keepsWhatIsOwed(engine: Engine) throws {
        let (a, b) = (try open("a", engine), try open("b", engine))
        try a.desk.fill(.red, to: 1)
        let end = try a.desk.end(of: .red)
        _ = try a.claim()
        try a.release(owed: 1_000)
        #expect(try b.claim() == Claim(stream: .red, holder: "b", since: 1_000, vacant: 1_500, end: end))
        // Claimed again, as after a lost answer, it is the same.
        #expect(try b.claim() == Claim(stream: .red, holder: "b", since: 1_000, vacant: 1_500, end: end))
        try b.release(owed: 3_000)
        #expect(try a.claim() == Claim(stream: .red, holder: "a", since: 3_000, vacant: 3_500, end: end))
        #expect(try a.append(2) == .appended(version: 2))
        #expect(try a.claim().since == nil)
        try a.release(owed: 4_000)
        _ = try b.claim()
        // It falls asleep, so nothing is owed.
        try b.release()
        #expect(try a.claim() == Claim(stream: .red, holder: "a", end: try a.desk.end(of: .red)))
    }

    @Test("a fenced run's claim is taken over, with the time owed", arguments: Engine.shared)
    func isTakenOfFenced(engine: Engine) throws {
        let (a, b, c) = (try open("a", engine), try open("b", engine), try open("c", engine))
        try a.desk.fill(.red, to: 1)
        let end = try a.desk.end(of: .red)
        _ = try a.claim()
        // A missing lease does not make it lost.
        #expect(try b.claim().holder == "a")
        #expect(try fence("a", by: b, settled: 5_000, time: 11_000) == .appended(version: 1))
        #expect(try b.claim() == Claim(stream: .red, holder: "b", since: 5_000, vacant: 11_000, end: end))
        // The first run to take it wrote nothing.
        #expect(try fence("b", by: c, settled: 12_000, time: 15_000) == .appended(version: 2))
        #expect(try c.claim() == Claim(stream: .red, holder: "c", since: 5_000, vacant: 15_000, end: end))
        #expect(try c.append(2) == .appended(version: 2))
        #expect(try c.claim().since == nil)
        #expect(throws: EventLogError.fenced) { try b.claim() }
        #expect(try a.append(9) == .unavailable(.fenced))
    }

    @Test("time in which nobody came is not owed when the next run writes nothing either", arguments: Engine.shared)
    func owesNoIdleTime(engine: Engine) throws {
        let (a, b, c) = (try open("a", engine), try open("b", engine), try open("c", engine))
        try a.desk.fill(.red, to: 1)
        let end = try a.desk.end(of: .red)
        _ = try a.claim()
        _ = try fence("a", by: b, settled: 5_000, time: 11_000)
        #expect(try b.claim().since == 5_000)
        _ = try fence("b", by: c, settled: 21_001, time: 30_000)
        #expect(try c.claim() == Claim(stream: .red, holder: "c", since: 15_001, vacant: 30_000, end: end))
    }

    @Test("a fence without a settled time owes nothing", arguments: Engine.shared)
    func owesNothingUnknown(engine: Engine) throws {
        let (a, b) = (try open("a", engine), try open("b", engine))
        try a.desk.fill(.red, to: 1)
        _ = try a.claim()
        _ = try fence("a", by: b, time: 11_000)
        #expect(try b.claim() == Claim(stream: .red, holder: "b", vacant: 11_000, end: try b.desk.end(of: .red)))
    }

    @Test("a run that has renewed its lease since is not fenced", arguments: Engine.shared)
    func isNotFenced(engine: Engine) throws {
        let (a, b) = (try open("a", engine), try open("b", engine))
        _ = try a.leases.answer(renewing: "").get()
        _ = try a.leases.answer(renewing: "").get()
        #expect(try fence("a", by: b, renewals: 1) == .renewed)
        #expect(try b.desk.end(of: .hub) == StreamName.hub.start)
        #expect(try b.leases.answer().get().leases.map(\.run) == ["a"])
        #expect(try a.append(1) == .appended(version: 1))
        #expect(try fence("a", by: b, renewals: 2) == .appended(version: 1))
        #expect(try a.append(2) == .unavailable(.fenced))
        #expect(try b.leases.answer().get().leases.isEmpty)
    }

    @Test("a run without a lease is fenced", arguments: Engine.shared)
    func isFencedWithoutLease(engine: Engine) throws {
        let (a, b) = (try open("a", engine), try open("b", engine))
        #expect(try fence("a", by: b, renewals: 7) == .appended(version: 1))
        #expect(try a.append(1) == .unavailable(.fenced))
    }
}

extension Node {
    fileprivate func claim(_ stream: StreamName = .red) throws -> Claim {
        let inbox = RecordingInbox()
        log.claim(stream, ticket: 1, answer: inbox)
        return try inbox.wait { if case .claimed(1, let result) = $0 { result } else { nil } }.get()
    }

    fileprivate func release(_ stream: StreamName = .red, owed: Int? = nil) throws {
        let inbox = RecordingInbox()
        log.release(stream, owed: owed, at: (owed ?? 0) + 500, ticket: 2, answer: inbox)
        try inbox.wait { $0 == [.released(2, .success(stream))] }
    }

    fileprivate func append(_ number: Int, to stream: StreamName = .red) throws -> AppendAnswer {
        let end = try desk.end(of: stream)
        return try desk.append(Draft.numbered(number).commit(to: stream, expecting: end))
    }
}
