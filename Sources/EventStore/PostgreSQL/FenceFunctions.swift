/// Functions in the database by which a transaction is a run's, and a run is fenced.
///
/// A transaction of a run has an advisory lock of that run with others like it, one that fences the run has it all
/// alone: so nothing that the run has begun is under way when the fence comes to be, and whatever it begins later finds
/// it. The fence is looked for by a statement of its own, behind the lock, since what a statement sees is what was
/// there when it began.
///
/// A lock's number is a hash, which may be another run's, too: then one of the two waits, which does no harm.
enum FenceFunctions {
    /// `enter` takes the lock by which `Feed` knows that positions may yet come, too. Of the two locks that
    /// `enter_to_fence` takes, the lower number is the first, so that two that fence each other do not wait for each
    /// other; it waits but briefly, and is tried again. A `run` of null is a log that is opened for none.
    ///
    /// A process that is stopped in a transaction loses its connection. The server ends what is idle by itself, but no
    /// transaction of which it has read only a part: it counts as active for as long as the connection lasts.
    static let definition = """
        CREATE FUNCTION @.lock_of(run bytea) RETURNS bigint LANGUAGE sql STABLE AS $$
            SELECT hashtextextended(encode(run, 'hex'), '@.fences'::regclass::oid::bigint)
        $$;
        CREATE FUNCTION @.check_fence(of_run bytea) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM @.fences f WHERE f.run = of_run) THEN
                RAISE EXCEPTION 'this run was declared lost' USING ERRCODE = '\(fenced)';
            END IF;
        END
        $$;
        CREATE FUNCTION @.enter(run bytea, class int, key int) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_advisory_xact_lock_shared(class, key);
            PERFORM pg_advisory_xact_lock_shared(@.lock_of(run));
            PERFORM @.check_fence(run);
        END
        $$;
        CREATE FUNCTION @.enter_to_fence(run bytea, other bytea, class int, key int) RETURNS void
            LANGUAGE plpgsql AS $$
        DECLARE
            own_lock bigint := @.lock_of(run);
            other_lock bigint := @.lock_of(other);
            usual text := current_setting('lock_timeout');
        BEGIN
            PERFORM pg_terminate_backend(held.pid) FROM pg_locks held JOIN pg_stat_activity session USING (pid)
                WHERE held.locktype = 'advisory' AND held.objsubid = 1 AND held.granted
                AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (held.classid::bigint << 32 | held.objid::bigint) = other_lock
                AND session.usename = current_user AND session.wait_event IN ('ClientRead', 'ClientWrite')
                AND session.state_change < clock_timestamp() - interval '\(stoppedAfter)';
            PERFORM set_config('lock_timeout', '\(lockTimeout)', true);
            PERFORM pg_advisory_xact_lock_shared(class, key);
            IF own_lock < other_lock THEN PERFORM pg_advisory_xact_lock_shared(own_lock); END IF;
            PERFORM pg_advisory_xact_lock(other_lock);
            IF own_lock > other_lock THEN PERFORM pg_advisory_xact_lock_shared(own_lock); END IF;
            PERFORM set_config('lock_timeout', usual, true);
            PERFORM @.check_fence(run);
        END
        $$;
        CREATE FUNCTION @.fence(other bytea, renewals_seen bigint, settled bigint, at bigint) RETURNS void
            LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM @.leases l WHERE l.run = other AND (renewals_seen IS NULL OR l.renewals = renewals_seen);
            IF NOT FOUND AND EXISTS (SELECT FROM @.leases l WHERE l.run = other) THEN
                RAISE EXCEPTION 'this run has renewed its lease' USING ERRCODE = '\(renewed)';
            END IF;
            INSERT INTO @.fences VALUES (other, settled, at) ON CONFLICT DO NOTHING;
        END
        $$;
        """

    /// The state with which a transaction of a fenced run ends: none of PostgreSQL's own.
    static let fenced = "FLFEN"
    /// The state with which a transaction ends that was to fence a run which is not lost.
    static let renewed = "FLREN"
    /// For the run's transactions to end; while it lasts others of it wait behind, so that it gets its turn.
    private static let lockTimeout = "100ms"
    /// As `idle_in_transaction_session_timeout`.
    private static let stoppedAfter = "5s"

    static let enterForNobody = PreparedStatement(
        name: "enter", sql: "SELECT pg_advisory_xact_lock_shared($1::int8::int, $2::int8::int)")
    static let enter = PreparedStatement(name: "enter", sql: "SELECT @.enter($1, $2::int8::int, $3::int8::int)")
    static let enterToFence = PreparedStatement(
        name: "enter to fence", sql: "SELECT @.enter_to_fence($1, $2, $3::int8::int, $4::int8::int)")
    static let fence = PreparedStatement(name: "fence", sql: "SELECT @.fence($1, $2, $3, $4)")
    static let isFenced = PreparedStatement(
        name: "is fenced", sql: "SELECT (EXISTS (SELECT FROM @.fences WHERE run = $1))::int::int8")
}

extension PostgreSQLError {
    var isFenced: Bool { state == FenceFunctions.fenced }
    /// The run that was to be fenced has renewed its lease.
    var isRenewed: Bool { state == FenceFunctions.renewed }
    /// A lock was waited for in vain (lock_not_available).
    var isHeld: Bool { state == "55P03" }
}
