import Foundation
import Records
import Testing

@testable import EventStore

@Suite("Leases of runs, on every engine that several may write to") struct LeaseContractTests {
    private let place = Place()

    private func open(_ run: String, _ engine: Engine) throws -> Node { try Node(run, engine, at: place) }

    @Test(
        "a renewal returns all leases in order of their names, with the count of renewals",
        arguments: Engine.shared)
    func renews(engine: Engine) throws {
        let (b, a) = (try open("b", engine).leases, try open("a\u{e9}", engine).leases)
        #expect(try b.answer().get().leases.isEmpty)
        #expect(try b.answer(renewing: "one").get().leases == [Lease("b", "one", 1)])
        #expect(try b.answer(renewing: "two").get().leases == [Lease("b", "two", 2)])
        #expect(try a.answer(renewing: "").get().leases == [Lease("a\u{e9}", "", 1), Lease("b", "two", 2)])
        let last = try b.answer().get()
        #expect(last.leases == [Lease("a\u{e9}", "", 1), Lease("b", "two", 2)] && !last.isFenced)
    }

    @Test("the time is that of the lease store", arguments: Engine.shared)
    func tellsTime(engine: Engine) throws {
        let leases = try open("a", engine).leases
        let before = Int(Date().timeIntervalSince1970 * 1_000)
        let times = [try leases.answer(renewing: "").get().time, try leases.answer().get().time]
        // PostgreSQL rounds the time.
        #expect(times[0] >= before - 1 && times[0] <= times[1])
        #expect(times[1] <= Int(Date().timeIntervalSince1970 * 1_000) + 1)
    }

    @Test("a note is any number of bytes", arguments: Engine.shared)
    func keepsBytes(engine: Engine) throws {
        let leases = try open("a", engine).leases
        let note = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        leases.renew(note, presence: PresenceReport(), silences: SilenceReport(isServing: true)) { _ in }
        #expect(try leases.answer().get().leases.map(\.note) == [note])
    }

    @Test("answers come in order, and only once", arguments: Engine.shared)
    func answersInOrder(engine: Engine) throws {
        let leases = try open("a", engine).leases
        let inbox = RecordingInbox()
        for _ in 1...5 {
            leases.renew([], presence: PresenceReport(), silences: SilenceReport(isServing: true)) { answer in
                let renewals = (try? answer.get().leases.first?.renewals) ?? 0
                inbox.deliver([.settled(Ticket(renewals), .outcomeUnknown)])
            }
        }
        _ = leases.answer()
        #expect(inbox.messages.compactMap(\.ticket) == [1, 2, 3, 4, 5])
    }

    @Test("a closed store fails every call", arguments: Engine.shared)
    func failsOnceClosed(engine: Engine) throws {
        let leases = try open("a", engine).leases
        #expect(try leases.answer(renewing: "").get().leases.count == 1)
        leases.close()
        #expect(leases.answer() == .failure(.closed) && leases.answer(renewing: "") == .failure(.closed))
    }

    @Test(
        "a fenced run writes nothing more and reports it, but can read; others are unaffected", arguments: Engine.shared
    )
    func fences(engine: Engine) throws {
        let (lost, other, inbox) = (try open("lost", engine), try open("other", engine), RecordingInbox())
        for run in [lost, other] { #expect(try run.leases.answer(renewing: "here").get().isFenced == false) }
        lost.desk.log.watchAvailability(into: inbox)
        lost.desk.log.follow(.hub, after: 0, ticket: 1, into: inbox)
        try lost.desk.fill(.red, to: 1)
        #expect(try other.desk.append(.fence("lost")) == .appended(version: 1))

        #expect(try lost.desk.append(.numbered(2), to: .red, expecting: 1) == .unavailable(.fenced))
        #expect(try lost.desk.append(.numbered(1), to: .red, expecting: 0) == .unavailable(.fenced))
        try inbox.wait { $0.contains(.availability(.unavailable(.fenced))) }
        engine.poll(lost.desk.log)
        // A follower of a single stream gets others' records with an answer that follows from them.
        lost.desk.log.follow(.hub, after: 0, ticket: 2, into: inbox)
        try inbox.wait { !$0.records(2).isEmpty }
        #expect(try lost.desk.load(.red).get().count == 1)
        let renewal = try lost.leases.answer(renewing: "still").get()
        #expect(renewal.isFenced && renewal.leases == [Lease("other", "here", 1)])
        #expect(try lost.leases.answer().get().isFenced)

        try other.desk.fill(.red, from: 2, to: 2)
        #expect(try other.leases.answer().get().isFenced == false)
        #expect(inbox.messages.count { if case .availability = $0 { true } else { false } } == 2)
    }

    @Test("a run that leaves fences itself", arguments: Engine.shared)
    func leaves(engine: Engine) throws {
        let (one, other) = (try open("one", engine), try open("other", engine))
        for run in [one, other] { _ = run.leases.answer(renewing: "") }
        #expect(try one.desk.append(.fence("one")) == .appended(version: 1))
        #expect(try one.desk.append(.numbered(1), to: .red, expecting: 0) == .unavailable(.fenced))
        #expect(try other.leases.answer().get().leases.map(\.run) == ["other"])
    }

    @Test("a run without a lease may be fenced, and more than once", arguments: Engine.shared)
    func fencesAnyRun(engine: Engine) throws {
        let (one, new) = (try open("one", engine), try open("new", engine))
        #expect(try one.desk.append(.fence("new")) == .appended(version: 1))
        #expect(try one.desk.append(.fence("new", id: "again", at: one.desk.end(of: .hub))) == .appended(version: 2))
        #expect(try new.desk.append(.numbered(1), to: .red, expecting: 0) == .unavailable(.fenced))
        #expect(try new.leases.answer(renewing: "").get().isFenced)
    }

    @Test("a log that is opened for a fenced run takes no writes", arguments: Engine.shared)
    func staysFenced(engine: Engine) throws {
        let one = try open("one", engine)
        #expect(try one.desk.append(.fence("lost")) == .appended(version: 1))
        let lost = try open("lost", engine)
        #expect(try lost.desk.append(.numbered(1), to: .red, expecting: 0) == .unavailable(.fenced))
        #expect(try lost.desk.load(.hub).get().count == 1)
    }

    @Test("a commit that is not written fences no run", arguments: Engine.shared)
    func fencesNobody(engine: Engine) throws {
        let (one, two) = (try open("one", engine), try open("two", engine))
        try one.desk.fill(.hub, to: 1)
        #expect(try one.desk.append(.fence("two")) == .conflict(.hub, actual: .filled(.hub, to: 1)))
        #expect(try one.desk.append(.fence("two", id: "commit-1")) == .repeated(version: 1))
        try two.desk.fill(.red, to: 1)
        #expect(try two.leases.answer(renewing: "").get().isFenced == false)
    }

    @Test("of two runs that fence each other one stays", arguments: Engine.shared)
    func fencesOne(engine: Engine) throws {
        let runs = [try open("one", engine), try open("two", engine)]
        let inboxes = [RecordingInbox(), RecordingInbox()]
        for (index, run) in runs.enumerated() {
            run.desk.log.append(.fence(["two", "one"][index], id: "\(index)"), ticket: 1, answer: inboxes[index])
        }
        let answers = try inboxes.map { try $0.wait { if case .settled(1, let answer) = $0 { answer } else { nil } } }
        let winner = try #require(answers.firstIndex(of: .appended(version: 1)))
        #expect(answers[1 - winner] == .unavailable(.fenced))
        #expect(try runs[winner].desk.append(.numbered(1), to: .red, expecting: 0) == .appended(version: 1))
    }
}
