import Records

/// Where several processes share a log: who of them is there. Each *run*, one start of a process under a random name
/// that never comes again, keeps a lease here that it renews. Engine: `InMemoryLeaseStore`.
///
/// A run whose lease is not renewed is declared lost by a commit that fences it (`Commit.fencing`), and one that leaves
/// may fence itself: its lease is gone with that, and no log that was opened for it writes any more. A run that has no
/// lease yet may write.
///
/// Leases need not survive what the log does: a server that loses power may lose the last seconds of them, which the
/// next renewal puts right. When a run that serves renewed last, and the silences that were found by that, do survive,
/// but for the last moment: a silence that is lost with it is found again, with a later end.
public protocol LeaseStore: AnyObject, Sendable {
    /// Renews the lease of the run that this was opened for, or takes it, the first time. Calls are done and answered
    /// one by one, in order; `answer` is called once, from any thread.
    ///
    /// With it goes how many are in the run's rooms, and comes what others have said of theirs: all of it in one
    /// transaction. Where the answer's lease is not renewed once more than with the answer before, or there was none,
    /// what was said and seen before may be lost: then the next report is whole, and names no run as seen.
    ///
    /// The renewal of a run that serves ends a silence, and the same transaction records it here if it was long enough
    /// to count. So the answer to such a run has every silence before it that is not in the log yet, up to
    /// `Silence.answerLimit`.
    func renew(
        _ note: [UInt8], presence: PresenceReport, silences: SilenceReport,
        answer: @escaping @Sendable (Result<LeaseRenewal, EventLogError>) -> Void)

    /// As `renew` answers, without renewing.
    func read(answer: @escaping @Sendable (Result<LeaseRenewal, EventLogError>) -> Void)

    /// Ends what is under way and answers it. Calls that come later fail with `closed`.
    func close()
}

/// What a run has last said of itself.
public struct Lease: Sendable, Equatable {
    public let run: String
    /// What the run gave with its last renewal.
    public let note: [UInt8]
    /// How often the lease was renewed, from 1 on: who sees it unchanged knows that it was not.
    public let renewals: Int

    public init(run: String, note: [UInt8], renewals: Int) {
        self.run = run
        self.note = note
        self.renewals = renewals
    }
}

/// Who is there, at one moment.
public struct LeaseRenewal: Sendable, Equatable {
    /// Milliseconds since 1970 (UTC), by the clock of whoever keeps the leases.
    public let time: Int
    /// Whether the run that asks was declared lost, or has left: then nothing was renewed, nor ever will be.
    public let isFenced: Bool
    /// Of the runs that are not fenced, in the order of their names' bytes.
    public let leases: [Lease]
    /// What other runs that are not fenced have said of their rooms since they were seen, in no order; nothing where
    /// leases were read alone.
    public let presence: [String: [RoomPresence]]
    /// Those that no run has seen in the log yet, the oldest first. If there are `Silence.answerLimit`, more may follow
    /// once these are recorded.
    public let silences: [Silence]
    /// The version of the stream `hub`, which holds all silences that ended before this answer and are not in
    /// `silences`.
    public let hubVersion: Int

    public init(
        time: Int, isFenced: Bool, leases: [Lease], presence: [String: [RoomPresence]] = [:], silences: [Silence] = [],
        hubVersion: Int = 0
    ) {
        self.time = time
        self.isFenced = isFenced
        self.leases = leases
        self.presence = presence
        self.silences = silences
        self.hubVersion = hubVersion
    }
}
