import Foundation
import Synchronization
import Testing

@testable import EventStore

@Suite("PostgreSQL: rows", .needsServer)
struct PostgreSQLRowStoreTests {
    private let server: PostgreSQLServer
    private let place = Place()
    private let boxes = RowQuery(.boxes, by: "group", limit: 9)

    init() throws { server = try PostgreSQLServer.shared.get() }

    private func reach(_ position: Int) throws {
        let rows = try server.openRows(place)
        rows.apply([.put(box("red"), into: .boxes)], reached: position)
        rows.close()
    }

    @Test("a store that another has overtaken writes nothing until it begins again, but answers")
    func isOvertaken() throws {
        try reach(7)
        let (one, other) = (try server.openRows(place), try server.openRows(place))
        one.apply([.put(box("red", size: 1), into: .boxes)], reached: 8)
        #expect(try one.answer().position == 8)
        other.apply([.put(box("red", size: 2), into: .boxes)], reached: 9)
        let others = RowAnswer(rows: [box("red", size: 1)], position: 8)
        #expect(try other.answer([boxes]) == others && other.isHalted && !one.isHalted)
        other.apply([.put(box("red", size: 3), into: .boxes)], reached: 10)
        #expect(try other.answer([boxes]) == others)

        #expect(try other.begun() == RowAnswer(rows: [], position: 8) && !other.isHalted)
        other.apply([.put(box("red", size: 4), into: .boxes)], reached: 9)
        #expect(try other.answer([boxes]) == RowAnswer(rows: [box("red", size: 4)], position: 9))
        // And the other way round.
        one.apply([.put(box("red", size: 5), into: .boxes)], reached: 9)
        #expect(try one.answer([boxes]) == RowAnswer(rows: [box("red", size: 4)], position: 9) && one.isHalted)
    }

    @Test("a noted row arrives while another process writes the rows, unless that one's is later")
    func notes() throws {
        try reach(7)
        let (one, other) = (try server.openRows(place), try server.openRows(place))
        one.apply([.put(box("red", version: 3), into: .boxes)], reached: 8)
        #expect(try one.answer().position == 8)
        other.apply([.put(box("blue"), into: .boxes)], reached: 9)
        other.noteRow(box("green"), in: .boxes)
        #expect(try other.answer([boxes]) == RowAnswer(rows: [box("green"), box("red", version: 3)], position: 8))
        #expect(other.isHalted)
        other.noteRow(box("red", version: 2), in: .boxes)
        other.noteRow(box("white", version: 2), in: .boxes)
        let rows = [box("green"), box("red", version: 3), box("white", version: 2)]
        #expect(try other.answer([boxes]) == RowAnswer(rows: rows, position: 8))
    }

    @Test(
        "changes that waited while another process began are not written",
        arguments: [nil, 9], [nil, 10])
    func isFenced(others: Int?, own: Int?) throws {
        let (one, other) = (try server.openRows(place), try server.openRows(place))
        let ada = RowChange.put(box("ada", note: [1]), into: .boxes)
        _ = try one.begun()
        one.apply([ada], reached: 7)
        #expect(try one.answer([boxes]).rows == [box("ada", note: [1])])

        #expect(try other.begun().position == 7)
        other.apply([.erase(from: .boxes, by: "note", equal: [.bytes([1])])], reached: others)
        #expect(try other.answer([boxes]) == RowAnswer(rows: [], position: others ?? 7))
        one.apply([ada], reached: own)
        #expect(try one.answer([boxes]) == RowAnswer(rows: [], position: others ?? 7) && one.isHalted)
        #expect(!other.isHalted)
    }

    @Test("a store does not touch tables that were created again in another layout")
    func isFencedFromNewTables() throws {
        let one = try server.openRows(place)
        _ = try one.begun()
        let layout = RowLayout(meaning: 6, tables: [.boxes, .marks])
        let other = try server.openRows(place, layout: layout)
        _ = try other.begun()
        one.apply([.put(box("red"), into: .boxes)], reached: nil)
        // It does not begin again, note anything there, or answer, either.
        #expect(throws: EventLogError.self) { try one.begun() }
        one.noteRow(box("blue"), in: .boxes)
        #expect(throws: EventLogError.self) { try one.answer() }
        one.apply([.put(box("green"), into: .boxes)], reached: 7)
        one.close()
        other.apply([.put(box("white"), into: .boxes)], reached: 3)
        #expect(try other.answer([boxes]) == RowAnswer(rows: [box("white")], position: 3) && !other.isHalted)
    }

    @Test(
        "after reconnecting, earlier changes are not written, since the log may have lost their source"
    )
    func goesOn() throws {
        let rows = try server.openRows(place)
        rows.apply([.put(box("red"), into: .boxes)], reached: 1)
        #expect(try rows.answer().position == 1)
        // A lock that it waits for, so that it is ended in the middle.
        let connection = try server.run(#"BEGIN; LOCK TABLE @."rows boxes" IN EXCLUSIVE MODE"#, in: place)
        rows.apply([.put(box("blue"), into: .boxes)], reached: 2)
        rows.noteRow(box("black"), in: .boxes)
        let waiting = """
            SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%\(place.schema)%'
            AND pid <> pg_backend_pid() LIMIT 1
            """
        // In its own session, because a transaction keeps seeing the same state.
        let other = try server.connect()
        let process = try #require((0..<100_000).lazy.compactMap { _ in try? other.text(waiting) }.first)
        _ = try other.text("pg_terminate_backend(\(process), 20000)")
        try connection.run("ROLLBACK")
        rows.apply([.put(box("green"), into: .boxes)], reached: 3)
        rows.noteRow(box("grey"), in: .boxes)
        // Until the pause before the next attempt is over, its questions fail.
        let answer = (0..<1_000_000).lazy.compactMap { _ in try? rows.answer([boxes]) }.first
        #expect(answer == RowAnswer(rows: [box("red")], position: 1) && rows.isHalted)
        rows.noteRow(box("white"), in: .boxes)
        #expect(try rows.begun() == RowAnswer(rows: [], position: 1) && !rows.isHalted)
        rows.apply([.put(box("green"), into: .boxes)], reached: 2)
        #expect(try rows.answer([boxes]) == RowAnswer(rows: ["green", "red", "white"].map { box($0) }, position: 2))
    }

    @Test(
        "beyond the limit of refused changes, they are dropped until the next begin",
        arguments: [(3, false), (4, true)])
    func keepsSoMany(count: Int, isGivenUp: Bool) throws {
        let rows = try server.openRows(place, unwrittenLimit: 3)
        let connection = try server.connect()
        let table = #"ALTER TABLE \#(place.schema)."rows boxes""#
        try connection.run(table + " ADD CONSTRAINT none CHECK (false) NOT VALID")
        rows.apply(Array(repeating: .put(box("red"), into: .boxes), count: count), reached: 1)
        // Asked together with the changes or after them. Once these are dropped, no one waits for them.
        let answer = try? rows.answer()
        #expect(answer == nil || isGivenUp)
        #expect(rows.isHalted == isGivenUp)
        try connection.run(table + " DROP CONSTRAINT none")
        #expect(try rows.answer([boxes]) == RowAnswer(rows: isGivenUp ? [] : [box("red")], position: isGivenUp ? 0 : 1))
        #expect(try rows.begun().position == (isGivenUp ? 0 : 1) && !rows.isHalted)
        rows.apply([.put(box("blue"), into: .boxes)], reached: 2)
        #expect(try rows.answer().position == 2)
    }

    @Test("beyond the limit of waiting calls, changes are dropped") func refusesTooMany() throws {
        let rows = try server.openRows(place, waitingLimit: 1)
        let connection = try server.run(#"BEGIN; LOCK TABLE @."rows boxes""#, in: place)
        for number in 1...4 { rows.apply([.put(box("\(number)"), into: .boxes)], reached: number) }
        try connection.run("ROLLBACK")
        // Until the calls before it are done, there is no place for another.
        let answer = (0..<1_000_000).lazy.compactMap { _ in try? rows.answer() }.first
        #expect(try #require(answer).position < 4)
        #expect(rows.halt == .givenUp(.busy(reason: "1 calls are already waiting")))
        let reached = (0..<1_000_000).lazy.compactMap { _ in try? rows.begun().position }.first
        #expect(try #require(reached) < 4 && !rows.isHalted)
        rows.apply([.put(box("4"), into: .boxes)], reached: 4)
        let last = (0..<1_000_000).lazy.compactMap { _ in try? rows.answer().position }.first
        #expect(last == 4)
    }

    @Test("damaged tables are given up with the cause, and created again by the next begin")
    func makesAgain() throws {
        try reach(7)
        let rows = try server.openRows(place)
        // The error for an overwritten page (data_corrupted).
        try server.run(
            """
            CREATE FUNCTION @.broken() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE 'invalid page in block 0' USING ERRCODE = 'XX001'; END $$;
            CREATE TRIGGER broken BEFORE INSERT ON @."rows boxes" FOR EACH ROW EXECUTE FUNCTION @.broken()
            """, in: place)
        rows.apply([.put(box("blue"), into: .boxes)], reached: 8)
        // Refused if asked together with the change, but answered once that has been dropped.
        #expect([nil, 7].contains((try? rows.answer())?.position))
        guard case .givenUp(.rowsFailed(let reason)) = rows.halt else { throw NothingCame(messages: []) }
        #expect(reason.contains("invalid page"))
        #expect(try rows.begun() == RowAnswer(rows: [], position: 0) && !rows.isHalted)
        rows.apply([.put(box("blue"), into: .boxes)], reached: 8)
        #expect(
            try rows.answer([boxes]) == RowAnswer(rows: [box("blue")], position: 8))
    }

    @Test("no query along an index sorts", arguments: RowTable.testIndexes)
    func plan(table: RowTable, index: String) throws {
        try server.openRows(place).close()
        let connection = try server.connect()
        try connection.run(DatabaseSchema.session + "; SET plan_cache_mode = force_generic_plan")
        for query in RowQuery.all(of: table, by: index) {
            let sql = RowDialect.postgreSQL.select(query).replacing("@", with: place.schema)
            try connection.run("DEALLOCATE ALL; PREPARE asked AS " + sql)
            let values = query.values.map { _ in "NULL" }.joined(separator: ", ")
            let plan = try #require(try connection.run("EXPLAIN EXECUTE asked (\(values))"))
            let steps = (0..<plan.count).map { plan.text($0, 0) }.joined(separator: "\n")
            #expect(steps.contains("Scan") && steps.contains("rows \(table.name) by \(index)"), "\(steps)")
            #expect(!steps.contains("Sort"), "\(steps)")
        }
    }
}
