/// How many people are in each room, as each run reports with its renewals. Written and read after the renewal, in the
/// same transaction.
///
/// `change` is the number of the renewal that brought a row. Renewals of one run follow one another, since each locks
/// the row of its lease until it commits, and a reader of a lease also sees all that came with it or before. So a
/// reader that saw a lease renewed `n` times, and read the rows after that, misses nothing by asking for rows of that
/// run with `change` above `n` from then on. One sequence for all runs would not do: a number that was drawn first may
/// be committed last.
enum PresenceTable {
    static let definition = """
        CREATE UNLOGGED TABLE @.presence (
            run bytea NOT NULL, room bytea NOT NULL, present bigint NOT NULL, spectators bigint NOT NULL,
            change bigint NOT NULL, PRIMARY KEY (run, room)
        ) WITH (fillfactor = 70);
        CREATE INDEX presence_by_change ON @.presence (run, change);
        CREATE INDEX presence_of_nobody ON @.presence (run, change) WHERE present = 0 AND spectators = 0;
        """

    static let statements = [empty, say, forget, read, tidy]

    private static let empty = PreparedStatement(
        "empty rooms",
        """
        UPDATE @.presence p SET present = 0, spectators = 0, change = l.renewals FROM @.leases l
        WHERE l.run = $1 AND p.run = $1 AND (p.present > 0 OR p.spectators > 0)
        AND NOT EXISTS (SELECT FROM unnest($2::bytea[]) AS said (room) WHERE said.room = p.room)
        """)
    private static let say = PreparedStatement(
        "say presence",
        """
        INSERT INTO @.presence SELECT $1, said.room, said.present, said.spectators, l.renewals
        FROM @.leases l, unnest($2::bytea[], $3::bigint[], $4::bigint[]) AS said (room, present, spectators)
        WHERE l.run = $1
        ON CONFLICT (run, room) DO UPDATE
        SET present = excluded.present, spectators = excluded.spectators, change = excluded.change
        """)
    private static let forget = PreparedStatement(
        "forget rooms",
        """
        DELETE FROM @.presence p USING @.leases l WHERE l.run = $1 AND p.run = $1
        AND p.present = 0 AND p.spectators = 0 AND p.change <= l.renewals - \(PresenceReport.leftFor)
        """)
    // The OFFSET keeps the subquery apart, so that each run's rows are found by the index.
    private static let read = PreparedStatement(
        "read presence",
        """
        SELECT l.run, p.room, p.present, p.spectators FROM @.leases l
        LEFT JOIN unnest($2::bytea[], $3::bigint[]) AS seen (run, renewals) ON seen.run = l.run
        CROSS JOIN LATERAL (
            SELECT * FROM @.presence p WHERE p.run = l.run AND p.change > coalesce(seen.renewals, 0) OFFSET 0
        ) p
        WHERE l.run <> $1 AND NOT EXISTS (SELECT FROM @.fences f WHERE f.run = l.run)
        """)
    // Rows of runs that were fenced or have left, whose leases are gone.
    private static let tidy = PreparedStatement(
        "tidy presence",
        """
        DELETE FROM @.presence p WHERE NOT EXISTS (SELECT FROM @.leases l WHERE l.run = p.run)
        OR EXISTS (SELECT FROM @.fences f WHERE f.run = p.run)
        """)

    /// Deletes the rows of runs without a lease.
    static func tidy(through connection: ServerConnection) throws(PostgreSQLError) { _ = try connection.rows(of: tidy) }

    /// Adds the report of `run` to the pipeline, after its renewal.
    static func send(
        _ report: PresenceReport, of run: [UInt8], through connection: ServerConnection
    ) throws(PostgreSQLError) {
        let rooms = BinaryValue.names(report.rooms.map(\.room))
        if report.isWhole { try connection.send(empty, .bytes(run), rooms) }
        if !report.rooms.isEmpty {
            try connection.send(
                say, .bytes(run), rooms, .integers(report.rooms.map(\.present)),
                .integers(report.rooms.map(\.spectators)))
        }
        try connection.send(forget, .bytes(run))
    }

    /// Adds the question for other runs' reports to the pipeline, after that for leases. A report made after leases
    /// were read comes twice, but is not missed.
    static func sendQuestion(
        _ report: PresenceReport, of run: [UInt8], through connection: ServerConnection
    ) throws(PostgreSQLError) {
        try connection.send(
            read, .bytes(run), .names(Array(report.seen.keys)), .integers(Array(report.seen.values)))
    }

    static func rooms(in rows: ResultRows) -> [String: [RoomPresence]] {
        var rooms: [String: [RoomPresence]] = [:]
        for row in 0..<rows.count {
            rooms[rows.text(row, 0), default: []].append(
                RoomPresence(
                    room: rows.text(row, 1), present: rows.integer(row, 2), spectators: rows.integer(row, 3)))
        }
        return rooms
    }
}
