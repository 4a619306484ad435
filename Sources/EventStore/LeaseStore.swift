import Records

/// Which processes are alive, where several share a log. Each *run* is one start of a process under a random name that
/// is never reused, and renews a lease here. Engines: `InMemoryLeaseStore`, `PostgreSQLLeaseStore`.
///
/// A run that does not renew its lease is declared lost by a commit that fences it (`Commit.fencing`). A run that
/// leaves may fence itself. Either way its lease is gone, and no log that was opened for it writes again. A run that
/// has no lease yet may write.
///
/// Leases may be less durable than the log. A server that loses power may lose their last seconds, which the next
/// renewal repairs. The last renewal of any serving run, and the silences found by it, do survive except for the last
/// moment. A silence lost that way is found again, with a later end.
public protocol LeaseStore: AnyObject, Sendable {
    /// Renews the lease of the run that this store was opened for; the first call creates it. Calls are executed and
    /// answered one by one, in order. `answer` is called once, from any thread.
    ///
    /// The same transaction stores how many people are in the run's rooms and returns what other runs said of theirs.
    /// If the answer's lease is not exactly one renewal past that of the answer before, or there was none, earlier
    /// reports may be lost. The next report is then whole and names no run as seen.
    ///
    /// The renewal of a serving run ends a silence, and the same transaction records it here if it was long enough. The
    /// answer to a serving run therefore has every earlier silence that is not in the log yet, up to
    /// `Silence.answerLimit`.
    func renew(_ note: [UInt8], presence: PresenceReport, silences: SilenceReport, answer: @escaping LeaseReply)

    /// Answers as `renew` does, without renewing.
    func read(answer: @escaping LeaseReply)

    /// Ends and answers what is under way. Later calls fail with `closed`.
    func close()
}

public typealias LeaseReply = @Sendable (Result<LeaseRenewal, EventLogError>) -> Void

/// The last report of a run about itself.
public struct Lease: Sendable, Equatable {
    public let run: String
    /// The note that the run gave with its last renewal.
    public let note: [UInt8]
    /// How often the lease was renewed, from 1 on. An unchanged number means that it was not renewed since.
    public let renewals: Int

    public init(run: String, note: [UInt8], renewals: Int) {
        (self.run, self.note, self.renewals) = (run, note, renewals)
    }
}

/// The leases at one moment.
public struct LeaseRenewal: Sendable, Equatable {
    /// Milliseconds since 1970 (UTC), by the clock of the lease store.
    public let time: Int
    /// Whether the run that asks was declared lost, or has left. Then nothing was renewed, and never will be.
    public let isFenced: Bool
    /// The leases of runs that are not fenced, in the byte order of their names.
    public let leases: [Lease]
    /// By run, what other unfenced runs have reported about their rooms since they were last seen, in no order; empty
    /// if leases were only read.
    public let presence: [String: [RoomPresence]]
    /// The silences that no run has seen in the log yet, oldest first. If there are `Silence.answerLimit`, more may
    /// follow once these are recorded.
    public let silences: [Silence]
    /// The version of the stream `hub`, which holds all silences that ended before this answer and are not in
    /// `silences`.
    public let hubVersion: Int

    public init(
        time: Int, isFenced: Bool, leases: [Lease], presence: [String: [RoomPresence]] = [:], silences: [Silence] = [],
        hubVersion: Int = 0
    ) {
        (self.time, self.isFenced, self.leases) = (time, isFenced, leases)
        (self.presence, self.silences, self.hubVersion) = (presence, silences, hubVersion)
    }
}
