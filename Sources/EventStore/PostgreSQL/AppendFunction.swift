import Cryptography
import Records

/// The function in the database that judges a commit and writes it. One call does all parts of a commit, and never
/// waits for another transaction.
enum AppendFunction {
    /// Takes parts, each with the stream's expected end and the number of events that it appends (0: it erases), and
    /// all events in one list.
    ///
    /// A stream's row is locked by its name, version and head, unless the stream already has the commit. A row that
    /// another transaction has locked is skipped. A stream without a row has an advisory lock in its place. Two names
    /// may have the same hash, and then one of two commits is retried, which does no harm.
    ///
    /// `me` is the run that appends, or null. It does not write to streams that another run has claimed.
    static let definition = """
        CREATE FUNCTION @.append(
            me bytea, id bytea, names bytea[], versions bigint[], heads bytea[], sizes bigint[], times bigint[],
            types text[], shown bytea[], sealed bytea[], hashes bytea[],
            OUT outcome bigint, OUT part bigint, OUT version bigint, OUT head bytea, OUT streams bigint[],
            OUT positions bigint[]
        ) LANGUAGE plpgsql AS $$
        DECLARE
            stream bigint;
            written bigint;
            event int := 0;
        BEGIN
            outcome := 0;
            FOR p IN 1..cardinality(names) LOOP
                IF versions[p] > 0 THEN
                    SELECT s.id INTO stream FROM @.streams s
                        WHERE s.name = names[p] AND s.version = versions[p] AND s.head = heads[p]
                        AND (s.home IS NULL OR s.home = me)
                        AND NOT EXISTS (SELECT FROM @.records r WHERE r.stream = s.id AND r.commit_id = append.id)
                        FOR NO KEY UPDATE SKIP LOCKED;
                    IF NOT FOUND THEN outcome := \(Code.held); EXIT; END IF;
                    streams[p] := stream;
                ELSE
                    IF NOT pg_try_advisory_xact_lock(
                        hashtextextended(encode(names[p], 'hex'), '@.streams'::regclass::oid::bigint)) THEN
                        outcome := \(Code.held); EXIT;
                    END IF;
                    IF heads[p] <> sha256(names[p]) OR EXISTS (SELECT FROM @.streams s WHERE s.name = names[p]) THEN
                        outcome := \(Code.held); EXIT;
                    END IF;
                END IF;
            END LOOP;

            IF outcome <> 0 THEN
                FOR p IN 1..cardinality(names) LOOP
                    SELECT r.version, r.hash, p INTO version, head, part FROM @.records r
                        JOIN @.streams s ON s.id = r.stream
                        WHERE s.name = names[p] AND r.commit_id = append.id ORDER BY r.version DESC LIMIT 1;
                    IF FOUND THEN outcome := \(Code.repeated); RETURN; END IF;
                END LOOP;
                FOR p IN 1..cardinality(names) LOOP
                    part := p;
                    IF EXISTS (SELECT FROM @.streams s WHERE s.name = names[p] AND s.home IS DISTINCT FROM me
                        AND s.home IS NOT NULL) THEN outcome := \(Code.claimed); RETURN; END IF;
                    SELECT s.version, s.head INTO version, head FROM @.streams s WHERE s.name = names[p];
                    IF NOT FOUND THEN version := 0; head := sha256(names[p]); END IF;
                    IF version <> versions[p] OR head <> heads[p] THEN outcome := \(Code.conflict); RETURN; END IF;
                END LOOP;
                RETURN;
            END IF;

            FOR p IN 1..cardinality(names) LOOP
                IF sizes[p] = 0 THEN
                    DELETE FROM @.records r WHERE r.stream = streams[p];
                    DELETE FROM @.streams s WHERE s.id = streams[p];
                    INSERT INTO @.erasures AS e VALUES (nextval('@.positions'), streams[p], heads[p])
                        RETURNING e.position INTO written;
                    positions := positions || written;
                    CONTINUE;
                END IF;
                IF versions[p] > 0 THEN
                    UPDATE @.streams s SET version = versions[p] + sizes[p], head = hashes[event + sizes[p]],
                        since = NULL
                        WHERE s.id = streams[p];
                ELSE
                    INSERT INTO @.streams AS s (name, version, head)
                        VALUES (names[p], sizes[p], hashes[event + sizes[p]]) RETURNING s.id INTO stream;
                    streams[p] := stream;
                END IF;
                FOR e IN 1..sizes[p] LOOP
                    event := event + 1;
                    INSERT INTO @.records AS r VALUES (
                        nextval('@.positions'), streams[p], versions[p] + e, times[event], types[event], append.id,
                        shown[event], sealed[event], hashes[event]
                    ) RETURNING r.position INTO written;
                    positions := positions || written;
                END LOOP;
            END LOOP;
        END
        $$;
        """

    private enum Code {
        static let written = 0, repeated = 1, conflict = 2, held = 3, claimed = 4
    }

    /// Each column as a binary value.
    static let call = PreparedStatement(
        "append", "SELECT * FROM @.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")

    enum Outcome: Equatable {
        /// Each part's stream number, and a position for each event and erasure, in the order of the commit.
        case written(streams: [Int], positions: [Int])
        /// The stream of this part has the commit already, up to `end`.
        case repeated(part: Int, StreamEnd)
        case conflict(part: Int, StreamEnd)
        case claimed(part: Int)
        /// The run to be fenced has renewed its lease.
        case renewed
        /// Another open transaction has one of its streams.
        case held
    }

    /// Adds the values for `commit`, which `run` appends, to `values`, and the records' hashes in order to `hashes`.
    static func bind(
        _ commit: Commit, by run: [UInt8]?, to values: inout BinaryValues, hashes: inout [Digest], with hasher: SHA256
    ) {
        let first = hashes.count
        var events: [Event] = []
        for case .append(let more, _, let expected) in commit.parts {
            var end = expected
            for event in more {
                end.advance(by: event, with: hasher)
                hashes.append(end.head)
            }
            events += more
        }
        values.removeAll()
        values.add(orNull: run)
        values.add(Array(commit.id.text.utf8))
        values.add(commit.parts.map { Array($0.stream.text.utf8) as [UInt8]? })
        values.add(commit.parts.map(\.expected.version))
        values.add(commit.parts.map { $0.expected.head.bytes as [UInt8]? })
        values.add(commit.parts.map(\.eventCount))
        values.add(events.map(\.time))
        values.add(texts: events.map(\.type))
        values.add(events.map { $0.shown as [UInt8]? })
        values.add(events.map(\.sealed))
        values.add(hashes[first...].map { $0.bytes as [UInt8]? })
    }

    static func outcome(in row: ResultRows) -> Outcome {
        let part = row.integer(0, 1) - 1
        let end = StreamEnd(version: row.integer(0, 2), head: Digest(bytes: row.bytes(0, 3)) ?? StreamName.all.origin)
        return switch row.integer(0, 0) {
        case Code.written: .written(streams: row.integers(0, 4), positions: row.integers(0, 5))
        case Code.repeated: .repeated(part: part, end)
        case Code.conflict: .conflict(part: part, end)
        case Code.claimed: .claimed(part: part)
        default: .held
        }
    }
}

extension Commit.Part {
    /// 0 if it erases.
    var eventCount: Int { if case .append(let events, _, _) = self { events.count } else { 0 } }
}
