import Records

/// The last lease renewal of any serving run, in the one row of `alive`, and the silences that no run has seen in the
/// log yet.
///
/// A trigger on `leases` moves `alive` forward, never back, and writes the silence that it finds, as part of the
/// renewal's transaction and only when that commits. So the lock on the row, which all runs need, is never held while
/// the server waits for the client. If a statement took it, a process that is stopped between this statement and the
/// end of its pipeline would keep every other run from renewing for as long as it is stopped.
///
/// Two runs that renew at the same time after a silence move the row one after the other. The second sees where the
/// first has moved it to and finds nothing. Both read the first one's silence, each in a transaction that begins after
/// its own commit. An answer to a serving run thus has every silence that ended before it, up to the limit.
///
/// `silences` gains one row every 3 s at most, and only while the serving runs record none.
///
/// Both tables are logged, but renewals commit with `synchronous_commit = off`: a crash of the server, or a replica
/// that takes over, loses the commits after some point of the write-ahead log, with PostgreSQL's defaults those of the
/// last 0.6 s.
/// - `alive` may have moved back by as much. Then the next silence begins that much too early, and clocks get more time
///   back than they have lost.
/// - A lost silence is found again. `alive` was moved in the same transaction and is again where the silence begins;
///   only its end is later.
/// - The record of a silence in the log does not survive the silence, because its commit comes later in the write-ahead
///   log. So no silence is recorded and then found again with another end.
/// - A silence whose deletion is lost is in the next answer, and the run reports again that it is recorded. A deletion
///   does not survive the record, because it comes later. It is only done if the log has the end of the stream `hub`
///   that the run has seen.
enum SilenceTable {
    static let definition = """
        CREATE TABLE @.alive (at bigint, before bigint) WITH (fillfactor = 50);
        INSERT INTO @.alive VALUES (NULL, NULL);
        CREATE TABLE @.silences (since bigint PRIMARY KEY, until bigint NOT NULL);
        CREATE FUNCTION @.lease_renewed() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            since bigint;
            until bigint;
        BEGIN
            UPDATE @.alive a SET before = a.at, at = greatest(a.at, @.clock()) RETURNING a.before, a.at
                INTO since, until;
            IF until - since >= \(Silence.least) THEN INSERT INTO @.silences VALUES (since, until); END IF;
            RETURN NULL;
        END
        $$;
        CREATE CONSTRAINT TRIGGER renewed AFTER INSERT OR UPDATE ON @.leases DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW WHEN (NEW.serves) EXECUTE FUNCTION @.lease_renewed();
        """

    static let statements = [delete, read]

    // Does not wait for another run's deletion: if that fails, the next answer has it again.
    private static let delete = PreparedStatement(
        "delete silences",
        """
        DELETE FROM @.silences WHERE since IN (
            SELECT s.since FROM @.silences s JOIN unnest($2::bigint[], $3::bigint[]) AS recorded (since, until)
            ON s.since = recorded.since AND s.until = recorded.until FOR UPDATE OF s SKIP LOCKED
        ) AND EXISTS (
            SELECT FROM @.streams hub JOIN @.records r ON r.stream = hub.id
            WHERE hub.name = $4 AND r.version = $5 AND r.hash = $6
        ) AND NOT EXISTS (SELECT FROM @.fences WHERE run = $1)
        """)
    private static let read = PreparedStatement(
        "read silences",
        """
        SELECT (SELECT version FROM @.streams WHERE name = '\(StreamName.hub.text)'), s.since, s.until
        FROM (SELECT) one LEFT JOIN @.silences s ON true ORDER BY s.since LIMIT \(Silence.answerLimit)
        """)

    /// Adds what `run` has seen in the log to the pipeline.
    static func send(
        _ report: SilenceReport, of run: [UInt8], through connection: ServerConnection
    ) throws(PostgreSQLError) {
        guard !report.recorded.isEmpty else { return }
        try connection.send(
            delete, .bytes(run), .integers(report.recorded.map(\.since)), .integers(report.recorded.map(\.until)),
            .text(StreamName.hub.text), .integer(report.end.version), .bytes(report.end.head.bytes))
    }

    static func sendQuestion(through connection: ServerConnection) throws(PostgreSQLError) { try connection.send(read) }

    /// The answer to the question, with the version of the stream `hub` at that moment.
    static func answer(in rows: ResultRows) -> (silences: [Silence], hubVersion: Int) {
        let silences = (0..<rows.count).filter { !rows.isNull($0, 1) }
            .map { Silence(since: rows.integer($0, 1), until: rows.integer($0, 2)) }
        return (silences, rows.isNull(0, 0) ? 0 : rows.integer(0, 0))
    }
}
