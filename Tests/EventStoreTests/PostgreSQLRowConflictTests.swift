import Foundation
import Testing

@testable import EventStore

@Suite("PostgreSQL: several processes write rows at the same time", .needsServer)
struct PostgreSQLRowConflictTests {
    private let server: PostgreSQLServer
    private let place = Place()
    private let boxes = RowQuery(.boxes, by: "group", limit: 9)

    init() throws { server = try PostgreSQLServer.shared.get() }

    private func waitForLock(on table: String) throws {
        let sql = """
            SELECT pid FROM pg_stat_activity
            WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT%\(place.schema)%\(table)%'
            """
        let watcher = try server.connect()
        _ = try #require((0..<100_000).lazy.compactMap { _ in try? watcher.text(sql) }.first)
    }

    /// The calls that `work` makes run in one transaction, followed by a question, whose answer is returned.
    /// `meanwhile` runs once that has begun.
    private func answer(
        _ rows: any RowStore, _ work: () -> Void, meanwhile: () throws -> Void = {}
    ) throws -> Result<RowAnswer, EventLogError> {
        // A waiting transaction, so that all calls since then run together.
        let blocker = try server.run(#"BEGIN; LOCK TABLE @."rows order""#, in: place)
        rows.apply([.put([.integer(1), .integer(1), .text("a")], into: .marks)], reached: 8)
        try waitForLock(on: "rows order")
        work()
        let reply = Reply<Result<RowAnswer, EventLogError>>()
        rows.ask([boxes], answer: reply.take)
        try blocker.run("COMMIT")
        try meanwhile()
        return try reply.wait()
    }

    @Test("a row that another process writes at the same time fails no question") func takesTurns() throws {
        let rows = try server.openRows(place)
        rows.apply([.put(box("red"), into: .boxes)], reached: 7)
        #expect(try rows.answer().position == 7)
        let other = try server.run(#"BEGIN; UPDATE @."rows boxes" SET version = 2"#, in: place)
        // Each part of a transaction sees what existed at its beginning.
        let answer = try answer(rows) {
            rows.apply([.put(box("red", version: 3), into: .boxes)], reached: 9)
        } meanwhile: {
            try waitForLock(on: "rows boxes")
            try other.run("COMMIT")
        }
        #expect(answer == .success(RowAnswer(rows: [box("red", version: 3)], position: 9)))
    }

    @Test("a process that only notes rows blocks none while it waits for another")
    func notesOneByOne() throws {
        let rows = try server.openRows(place)
        rows.apply(["blue", "red"].map { .put(box($0), into: .boxes) }, reached: 7)
        #expect(try rows.answer().position == 7)
        let other = try server.connect()
        let table = #"\#(place.schema)."rows boxes""#
        try other.run("BEGIN; UPDATE \(table) SET version = 2 WHERE code = 'blue'")
        let answer = try answer(rows) {
            rows.noteRow(box("red", version: 3), in: .boxes)
            rows.noteRow(box("blue", version: 3), in: .boxes)
        } meanwhile: {
            try waitForLock(on: "rows boxes")
            try other.run("SELECT FROM \(table) WHERE code = 'red' FOR UPDATE NOWAIT; COMMIT")
        }
        #expect(answer == .success(RowAnswer(rows: ["blue", "red"].map { box($0, version: 3) }, position: 8)))
    }

    @Test(
        "a transaction in conflict is tried a few times, and then again with the next calls",
        arguments: [DatabaseRowThread.attemptLimit - 1, DatabaseRowThread.attemptLimit])
    func triesAgain(conflicts: Int) throws {
        let rows = try server.openRows(place)
        // A rollback does not take back what a sequence has given.
        try server.run(
            """
            CREATE SEQUENCE @.attempts;
            CREATE FUNCTION @.conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('@.attempts') <= \(conflicts) THEN RAISE serialization_failure; END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER conflict BEFORE INSERT ON @."rows boxes" FOR EACH ROW EXECUTE FUNCTION @.conflict();
            """, in: place)
        let answer = try answer(rows) { rows.apply([.put(box("red"), into: .boxes)], reached: 9) }
        let written = RowAnswer(rows: [box("red")], position: 9)
        if conflicts < DatabaseRowThread.attemptLimit {
            #expect(answer == .success(written))
        } else {
            #expect(throws: EventLogError.self) { try answer.get() }
        }
        #expect(try rows.answer([boxes]) == written && !rows.isHalted)
    }
}
