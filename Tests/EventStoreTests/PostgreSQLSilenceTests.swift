import Records
import Testing

@testable import EventStore

@Suite("PostgreSQL: silences", .needsServer)
struct PostgreSQLSilenceTests {
    private let server: PostgreSQLServer
    private let place = Place()
    private let start = 1_700_000_000_000
    /// Renewed once, at the start.
    private let leases: PostgreSQLLeaseStore

    init() throws {
        server = try PostgreSQLServer.shared.get()
        leases = try server.openLeases(place, for: "one")
        try server.setClock(of: place, to: start)
        _ = leases.answer(renewing: "")
    }

    @Test("a process that is stopped while it renews does not block others") func outlastsStopped() throws {
        try server.setClock(of: place, to: start + 1_000)
        // All of its renewal but the end has arrived.
        let stopped = try server.run(
            "BEGIN; INSERT INTO @.leases VALUES ('stopped', '', 1, now(), true)", in: place)
        #expect(try leases.answer(renewing: "").get().leases.map(\.renewals) == [2])
        #expect(try server.connect().text("SELECT at = \(start + 1_000) FROM \(place.schema).alive") == "true")
        try stopped.run("ROLLBACK")
    }

    @Test("a renewal that fails moves nothing, and the next one does") func failsWhole() throws {
        try server.setClock(of: place, to: start + 10_000)
        // It fails at its commit.
        try server.run("ALTER TABLE @.silences ADD CONSTRAINT never CHECK (since < 0)", in: place)
        guard case .failure(.cannotWrite(let reason)) = leases.answer(renewing: "") else {
            throw NothingCame(messages: [])
        }
        #expect(reason.contains("never"))
        #expect(try leases.answer().get().leases.map(\.renewals) == [1])
        try server.run("ALTER TABLE @.silences DROP CONSTRAINT never", in: place)
        let renewal = try leases.answer(renewing: "").get()
        #expect(renewal.silences == [Silence(since: start, until: start + 10_000)])
        #expect(renewal.leases.map(\.renewals) == [2])
    }

    @Test("a server that loses power still knows the last renewal") func restarts() throws {
        let server = try PostgreSQLServer(isDurable: true)
        let leases = try server.openLeases(place, for: "one")
        for time in [start, start + 10_000] {
            try server.setClock(of: place, to: time)
            _ = leases.answer(renewing: "")
        }
        // Its commit also puts everything before it on the disk.
        try server.setClock(of: place, to: start + 20_000)
        try server.stop()
        try server.start()
        _ = leases.answer(renewing: "its connection is lost")
        let renewal = try leases.answer(renewing: "again").get()
        #expect(renewal.leases == [Lease("one", "again", renewal.leases.first?.renewals ?? 0)])
        #expect(
            renewal.silences == [
                Silence(since: start, until: start + 10_000), Silence(since: start + 10_000, until: start + 20_000),
            ])
    }

    @Test("the row stays on its page, however often it changes") func staysSmall() throws {
        // Transactions of other tests would keep old versions of it.
        let server = try PostgreSQLServer()
        let leases = try server.openLeases(place, for: "one")
        for _ in 0..<500 { _ = leases.answer(renewing: "") }
        #expect(try server.connect().text("pg_relation_size('\(place.schema).alive')") == "8192")
    }
}
