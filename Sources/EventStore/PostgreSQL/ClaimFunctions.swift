import Cryptography
import Records

/// Functions in the database by which a run claims and releases a stream. A claim is stored in the stream's row, with
/// its version and head, so that a database that has failed over has all of them from the same moment.
///
/// Each is called in a transaction that has entered as its run (see `FenceFunctions`). Several streams are taken in the
/// order of their names, so that two runs that claim many do not deadlock.
enum ClaimFunctions {
    /// Takes only streams of no run, of this run or of a fenced run. A missing lease means nothing, since a crash of
    /// the server empties all of them. If nobody came between two vacancies, only the sum of both is owed.
    static let definition = """
        CREATE FUNCTION @.claim(
            me bytea, stream bytea, OUT holder bytea, OUT since bigint, OUT vacant bigint, OUT version bigint,
            OUT head bytea
        ) LANGUAGE plpgsql AS $$
        BEGIN
            -- Repeats if it was released between the two statements, each of which sees the table as it then is.
            LOOP
                UPDATE @.streams s SET home = me,
                    since = coalesce((SELECT CASE WHEN f.settled > s.vacant + \(Claim.waiting)
                        THEN f.settled - greatest(0, coalesce(s.vacant - s.since, 0)) ELSE least(s.since, f.settled) END
                        FROM @.fences f WHERE f.run = s.home), s.since),
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

    static let claim = PreparedStatement("claim", "SELECT * FROM @.claim($1, $2)")
    static let release = PreparedStatement("release", "SELECT @.release($1, $2, $3, $4)")
    /// For the transaction. Claims lost with the server's power are made again, so no one waits for its disk or a
    /// replica.
    static let unsynced = PreparedStatement("unsynced", "SET LOCAL synchronous_commit TO off")

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
