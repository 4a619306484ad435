import Cryptography
import Records

/// Functions in the database by which a run claims a stream and gives it up. A claim stands in the stream's row, with
/// its version and head: a database that has failed over has all of these of one moment.
///
/// Each is called in a transaction that has entered as its run (see `FenceFunctions`), several streams in the order of
/// their names: two runs that claim many do not wait for each other.
enum ClaimFunctions {
    /// Only what is nobody's, this run's, or a fenced run's is taken: a lease that is missing says nothing, since a
    /// crash of the server empties all of them.
    static let definition = """
        CREATE FUNCTION @.claim(
            me bytea, stream bytea, OUT holder bytea, OUT since bigint, OUT vacant bigint, OUT version bigint,
            OUT head bytea
        ) LANGUAGE plpgsql AS $$
        BEGIN
            -- Again where it has been released between the two statements, which see the table as it is by then.
            LOOP
                UPDATE @.streams s SET home = me,
                    since = least(s.since, (SELECT f.settled FROM @.fences f WHERE f.run = s.home)),
                    vacant = coalesce((SELECT f.at FROM @.fences f WHERE f.run = s.home), s.vacant)
                WHERE s.name = stream AND (s.home IS NULL OR s.home = me
                    OR EXISTS (SELECT FROM @.fences f WHERE f.run = s.home))
                RETURNING s.home, s.since, s.vacant, s.version, s.head INTO holder, since, vacant, version, head;
                EXIT WHEN FOUND;
                SELECT s.home, s.version, s.head INTO holder, version, head FROM @.streams s WHERE s.name = stream;
                EXIT WHEN NOT FOUND OR holder IS NOT NULL;
            END LOOP;
        END
        $$;
        CREATE FUNCTION @.release(me bytea, stream bytea, owed bigint, at bigint) RETURNS void LANGUAGE sql AS $$
            UPDATE @.streams s SET home = NULL, vacant = CASE WHEN owed IS NULL THEN NULL ELSE at END,
                since = owed
            WHERE s.name = stream AND s.home = me
        $$;
        """

    static let claim = PreparedStatement(name: "claim", sql: "SELECT * FROM @.claim($1, $2)")
    static let release = PreparedStatement(name: "release", sql: "SELECT @.release($1, $2, $3, $4)")
    /// For the transaction. Claims that are lost with the server's power are claimed again, so nobody waits for
    /// its disk, or for a replica.
    static let unsynced = PreparedStatement(name: "unsynced", sql: "SET LOCAL synchronous_commit TO off")

    /// What the one row of `claim` says.
    static func claim(of stream: StreamName, in row: ResultRows) -> Claim {
        guard !row.isNull(0, 0) || !row.isNull(0, 3) else {
            return Claim(stream: stream, holder: nil, end: stream.start)
        }
        func time(_ column: Int) -> Int? { row.isNull(0, column) ? nil : row.integer(0, column) }
        return Claim(
            stream: stream, holder: row.text(0, 0), since: time(1), vacant: time(2),
            end: StreamEnd(version: row.integer(0, 3), head: Digest(bytes: row.bytes(0, 4)) ?? stream.origin))
    }
}
