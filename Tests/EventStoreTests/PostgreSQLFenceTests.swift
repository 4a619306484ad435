import Foundation
import Records
import Synchronization
import Testing

@testable import EventStore

@Suite("PostgreSQL: leases and fences", .needsServer)
struct PostgreSQLFenceTests {
    private let server: PostgreSQLServer
    private let place = Place()
    private let inbox = RecordingInbox()
    private let other: Desk

    init() throws {
        server = try PostgreSQLServer.shared.get()
        other = Desk(try server.open(place, for: "other").log)
    }

    private let fence = Commit.fence("lost")

    /// A transaction of the run that does not continue, like that of a stopped process.
    private func stuck(settings: String = "") throws -> ServerConnection {
        try server.run(
            settings + "; BEGIN; SELECT @.enter('lost', \(DatabaseSchema.lockClass), '@'::regnamespace::oid::int)",
            in: place)
    }

    @Test("appends that race with their run's fence are not written after it") func races() throws {
        let rooms = (0..<400).map { StreamName.room("race \($0)") }
        for round in 0..<3 {
            let place = Place()
            let lost = Desk(try server.open(place, for: "lost").log)
            let other = Desk(try server.open(place, for: "other").log)
            let (inbox, answers) = (RecordingInbox(), RecordingInbox())
            // Each after the answer to the one before, so that there are many transactions.
            for (number, room) in rooms.enumerated() {
                if number == 20 * (round + 1) { other.log.append(fence, ticket: 1, answer: answers) }
                lost.log.append(.numbered(1), to: room, expecting: 0, ticket: Ticket(number), answer: inbox)
                if number.isMultiple(of: 3) { try inbox.wait { $0.contains { $0.ticket == Ticket(number) } } }
            }
            try inbox.wait { $0.count == rooms.count }
            try answers.wait { $0 == [.settled(1, .appended(version: 1))] }
            let records = try other.everything().records.sorted { $0.position < $1.position }
            #expect(records.last?.stream == .hub)
            let written = inbox.messages.count { if case .settled(_, .appended) = $0 { true } else { false } }
            let refused = inbox.messages.count {
                if case .settled(_, .unavailable(.fenced)) = $0 { true } else { false }
            }
            #expect(written == records.count - 1 && written + refused == rooms.count)
        }
    }

    @Test("a fence waits a limited time for a transaction of the run, and others continue")
    func waits() throws {
        let slow = try stuck()
        let quick = Desk(try server.open(place) { $0.timing.retryLimit = .milliseconds(300) })
        #expect(try quick.append(fence).refusal?.sentence.contains("run lost") == true)
        other.log.append(fence, ticket: 1, answer: inbox)
        #expect(try other.append(.numbered(1), to: .red, expecting: 0) == .appended(version: 1))
        #expect(inbox.messages.isEmpty)
        try slow.run("COMMIT")
        try inbox.wait { $0 == [.settled(1, .appended(version: 1))] }
    }

    @Test("a process that is stopped in a transaction can be fenced") func outlastsStopped() throws {
        let stopped = try stuck(settings: DatabaseSchema.session)
        #expect(try other.append(fence) == .appended(version: 1))
        #expect(throws: PostgreSQLError.self) { try stopped.run("COMMIT") }
    }

    @Test("a process that is stopped while it sends a transaction can be fenced")
    func outlastsStoppedSender() throws {
        let stopped = try stuck(settings: DatabaseSchema.session)
        let part = PreparedStatement("part", "SELECT octet_length($1::bytea)")
        try stopped.prepare([part])
        // The first is read whole. The rest is more than the library holds back.
        for count in [1, 100_000] { try stopped.send(part, .bytes([UInt8](repeating: 0, count: count))) }
        #expect(try other.append(fence) == .appended(version: 1))
        #expect(throws: PostgreSQLError.self) { try stopped.finish() }
    }

    @Test("while a run is being fenced its appends wait, and then are refused or done", arguments: [true, false])
    func holdsBack(isFenced: Bool) throws {
        let lost = Desk(try server.open(place, for: "lost").log)
        let slow = try server.run("BEGIN; SELECT pg_advisory_xact_lock(@.lock_of('lost'))", in: place)
        lost.log.append(.numbered(1), to: .red, expecting: 0, ticket: 1, answer: inbox)
        #expect(try other.append(.numbered(1), to: .blue, expecting: 0) == .appended(version: 1))
        #expect(inbox.messages.isEmpty)
        if isFenced { try slow.run("INSERT INTO \(place.schema).fences VALUES ('lost', NULL, 1)") }
        try slow.run("COMMIT")
        try inbox.wait { $0 == [.settled(1, isFenced ? .unavailable(.fenced) : .appended(version: 1))] }
    }

    @Test("a run that was fenced while disconnected never learns that its log takes writes") func toldFirst() throws {
        let proxy = try DatabaseProxy(to: server)
        let lost = Desk(try proxy.open(place, for: "lost"))
        lost.log.watchAvailability(into: inbox)
        try inbox.wait { $0 == [.availability(.available)] }
        proxy.drop(takingConnections: false)
        try inbox.wait { $0.count > 1 }
        #expect(try other.append(fence) == .appended(version: 1))
        proxy.takeConnections()
        try inbox.wait { $0.last == .availability(.unavailable(.fenced)) }
        #expect(inbox.messages.count { $0 == .availability(.available) } == 1)
        #expect(try lost.append(.numbered(1), to: .red, expecting: 0) == .unavailable(.fenced))
        #expect(try lost.load(.hub).get().count == 1)
    }

    @Test("a fence whose COMMIT was not answered holds, and is not set twice") func findsFence() throws {
        let proxy = try DatabaseProxy(to: server)
        let desk = Desk(try proxy.open(place, for: "one"))
        // The fence is written with the COMMIT after it: what delays the one delays the other.
        let slow = try server.run("BEGIN; LOCK TABLE @.fences IN SHARE MODE", in: place)
        desk.log.append(fence, ticket: 1, answer: inbox)
        let waiting =
            "SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND relation = '\(place.schema).fences'::regclass"
        #expect(try (0..<100_000).lazy.contains { _ in try slow.text(waiting) == "true" })
        proxy.loseAnswers()
        try slow.run("ROLLBACK")
        #expect((0..<100_000).lazy.contains { _ in proxy.hasLost })
        proxy.drop()
        try inbox.wait { $0 == [.settled(1, .appended(version: 1))] }
        let leases = try server.openLeases(place, for: "lost")
        #expect(try leases.answer(renewing: "").get().isFenced)
        #expect(try other.load(.hub).get().count == 1)
    }

    @Test("a server that loses power forgets leases, but no fence") func restarts() throws {
        let server = try PostgreSQLServer(isDurable: true)
        let (log, leases) = try server.open(place, for: "one")
        let desk = Desk(log)
        #expect(try leases.answer(renewing: "here").get().leases.map(\.run) == ["one"])
        #expect(try desk.append(fence) == .appended(version: 1))
        try server.stop()
        guard case .failure = leases.answer(renewing: "away") else { throw NothingCame(messages: []) }
        try server.start()
        let lost = try server.openLeases(place, for: "lost")
        let found = try lost.answer(renewing: "still").get()
        #expect(found.isFenced && found.leases.isEmpty)
        #expect(try leases.answer(renewing: "again").get().leases == [Lease("one", "again", 1)])
    }

    @Test("leases are renewed while commits wait for an absent replica") func replicaAway() throws {
        let server = try PostgreSQLServer()
        let leases = try server.openLeases(place, for: "one")
        try server.connect().run("ALTER SYSTEM SET synchronous_standby_names = 'away'")
        try server.stop("fast")
        try server.start()
        _ = leases.answer(renewing: "its connection is lost")
        #expect(try leases.answer(renewing: "there").get().leases.map(\.run) == ["one"])
    }

    @Test("beyond the limit calls fail, and earlier ones are answered") func refusesTooMany() throws {
        var options = PostgreSQLLeaseStore.Options(schema: place.schema)
        options.waitingLimit = 3
        let leases = try PostgreSQLLeaseStore(address: server.address, run: "one", options: options)
        // The thread takes all calls that wait, so it is held at an earlier one.
        let gate = GatedInbox()
        leases.read { _ in gate.deliver([]) }
        gate.waitUntilHeld()
        let results = Mutex<[Int: Result<Int, EventLogError>]>([:])
        let inbox = inbox
        for number in 1...5 {
            leases.renew([], presence: PresenceReport(), silences: SilenceReport(isServing: true)) { result in
                results.withLock { $0[number] = result.map(\.leases.count) }
                inbox.deliver([.settled(Ticket(number), .outcomeUnknown)])
            }
        }
        let refusal = Result<Int, EventLogError>.failure(.busy(reason: "3 calls are already waiting"))
        #expect(results.withLock { $0 } == [4: refusal, 5: refusal])
        gate.open()
        try inbox.wait { $0.count == 5 }
        let answered = Result<Int, EventLogError>.success(1)
        #expect(results.withLock { $0 } == [1: answered, 2: answered, 3: answered, 4: refusal, 5: refusal])
    }
}
