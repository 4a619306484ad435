import Records
import Testing

@testable import EventStore

@Suite("PostgreSQL: silences", .enabled(if: PostgreSQLServer.programs != nil, PostgreSQLServer.missing))
struct PostgreSQLSilenceTests {
    private let place = Place()
    private let start = 1_700_000_000_000

    private var isMoved: String { "SELECT at = \(start + 1_000) FROM \(place.schema).alive" }

    @Test("a process that is stopped while it renews does not block others") func outlastsStopped() throws {
        let server = try PostgreSQLServer.shared.get()
        let leases = try server.openLeases(place, for: "one")
        try server.setClock(of: place, to: start)
        _ = leases.answer(renewing: "")
        try server.setClock(of: place, to: start + 1_000)
        // All of its renewal but the end has arrived.
        let stopped = try server.connect()
        try stopped.run("BEGIN; INSERT INTO \(place.schema).leases VALUES ('stopped', '', 1, now(), true)")
        #expect(try leases.answer(renewing: "").get().leases.map(\.renewals) == [2])
        #expect(try server.connect().text(isMoved) == "true")
    }

    @Test("a renewal that fails moves nothing, and the next one does") func failsWhole() throws {
        let server = try PostgreSQLServer.shared.get()
        let leases = try server.openLeases(place, for: "one")
        try server.setClock(of: place, to: start)
        _ = leases.answer(renewing: "")
        try server.setClock(of: place, to: start + 10_000)
        let owner = try server.connect()
        // It fails at its commit.
        try owner.run("ALTER TABLE \(place.schema).silences ADD CONSTRAINT never CHECK (since < 0)")
        guard case .failure(.cannotWrite(let reason)) = leases.answer(renewing: "") else {
            throw NothingCame(messages: [])
        }
        #expect(reason.contains("never"))
        #expect(try leases.answer().get().leases.map(\.renewals) == [1])
        try owner.run("ALTER TABLE \(place.schema).silences DROP CONSTRAINT never")
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
