import Cryptography
import Records

/// The function in the database that judges a commit and writes it: one call, whatever the commit's parts are, and
/// nothing that waits for another transaction.
enum AppendFunction {
    /// Parts, each with the end that its stream is expected to have, how many events it appends (0: it erases) and, one
    /// behind the other, the events.
    ///
    /// A stream's row is claimed by its name, version and head, unless the commit is in the stream already. A row that
    /// another transaction has locked is passed by; for a stream that has no row yet, an advisory lock stands for it. A
    /// name's hash may be another's, too: then one of the two is tried again, which does no harm.
    ///
    /// `me`: the run that appends, or null. What another run has claimed is not written to.
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

    /// What the function says of a commit.
    private enum Code {
        static let written = 0, repeated = 1, conflict = 2, held = 3, claimed = 4
    }

    /// Each column as a value in binary.
    static let call = PreparedStatement(
        name: "append", sql: "SELECT * FROM @.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")

    /// What became of a commit.
    enum Outcome: Equatable {
        /// Each part's stream by its number, and a position for each event and erasure, in the order of the commit.
        case written(streams: [Int], positions: [Int])
        /// The stream of this part holds it up to `end`.
        case repeated(part: Int, StreamEnd)
        case conflict(part: Int, StreamEnd)
        case claimed(part: Int)
        /// The run that the commit fences has renewed its lease.
        case renewed
        /// Another transaction that has not ended has a stream of it.
        case held
    }

    /// Puts the values for `commit`, which `run` appends, into `values`; the records' hashes, in order, are added to
    /// `hashes`.
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

    /// What the function's one row says.
    static func outcome(in row: ResultRows) -> Outcome {
        let part = row.integer(0, 1) - 1
        let end = StreamEnd(
            version: row.integer(0, 2), head: Digest(bytes: row.bytes(0, 3)) ?? StreamName.all.origin)
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
    /// 0 where it erases.
    var eventCount: Int { if case .append(let events, _, _) = self { events.count } else { 0 } }
}
