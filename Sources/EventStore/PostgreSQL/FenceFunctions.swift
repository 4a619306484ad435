/// Functions in the database by which a transaction belongs to a run, and a run is fenced.
///
/// Transactions of a run share an advisory lock of that run; one that fences the run takes it exclusively. So nothing
/// of the run is under way when the fence is made, and all that it begins later finds the fence. A statement of its own
/// looks for the fence after the lock, since a statement sees what existed when it began.
///
/// A lock's number is a hash. Two runs may have the same, and then one of them waits, which does no harm.
enum FenceFunctions {
    /// `enter` also takes the lock that tells `Feed` that positions may yet come. `enter_to_fence` takes two locks, the
    /// lower number first, so that two runs that fence each other do not deadlock. It waits only briefly, and is
    /// retried. A `run` of null is a log without a run.
    ///
    /// A process that is stopped in a transaction loses its connection. The server ends an idle transaction by itself,
    /// but not one of which it has read only a part: that one counts as active as long as the connection lasts.
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

    /// The state with which a transaction of a fenced run ends. PostgreSQL itself does not use it.
    static let fenced = "FLFEN"
    /// The state with which a transaction ends that would fence a run that is not lost.
    static let renewed = "FLREN"
    /// The wait for the run's transactions to end. Later ones queue after it, so that it gets its turn.
    private static let lockTimeout = "100ms"
    /// As `idle_in_transaction_session_timeout`.
    private static let stoppedAfter = "5s"

    static let enterForNobody = PreparedStatement(
        "enter", "SELECT pg_advisory_xact_lock_shared($1::int8::int, $2::int8::int)")
    static let enter = PreparedStatement("enter", "SELECT @.enter($1, $2::int8::int, $3::int8::int)")
    static let enterToFence = PreparedStatement(
        "enter to fence", "SELECT @.enter_to_fence($1, $2, $3::int8::int, $4::int8::int)")
    static let fence = PreparedStatement("fence", "SELECT @.fence($1, $2, $3, $4)")
    static let isFenced = PreparedStatement(
        "is fenced", "SELECT (EXISTS (SELECT FROM @.fences WHERE run = $1))::int::int8")
}

extension PostgreSQLError {
    var isFenced: Bool { state == FenceFunctions.fenced }
    /// The run to be fenced has renewed its lease.
    var isRenewed: Bool { state == FenceFunctions.renewed }
    /// Waiting for a lock took too long (lock_not_available).
    var isHeld: Bool { state == "55P03" }
}
