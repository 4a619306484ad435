import Records

/// A log that several processes write to, each for its own run (see `LeaseStore`). A run *claims* a stream that no
/// other run may append to. While it holds the claim, appends of others are answered `claimed`. A claim ends when it is
/// released or its run is fenced, but never because a lease is missing.
///
/// Claims may be less durable than the log. A server that loses power, or a replica that takes over, may have lost the
/// newest ones. So a log that has lost its connection claims its streams again before it writes, and reports each claim
/// that another run has taken or that time is owed for.
public protocol SharedEventLog: EventLog {
    /// Claims `stream` for the log's run, which may already hold it. Answered by `claimed`, in the order of this log's
    /// appends, after those handed over before. The same inbox gets `claimLost` and `claimedAgain`.
    func claim(_ stream: StreamName, ticket: Ticket, answer: any LogInbox)

    /// Gives up the claim once all appends of this run to the stream are answered. Answered by `released`.
    ///
    /// - Parameters:
    ///   - owed: since when no one has judged the room's deadlines, for example because a process stops during a game,
    ///     or the unjudged time that the claim came with; nil if none. Milliseconds since 1970.
    ///   - time: now, likewise.
    func release(_ stream: StreamName, owed: Int?, at time: Int, ticket: Ticket, answer: any LogInbox)
}

/// Who holds the claim of a stream.
public struct Claim: Sendable, Equatable {
    public let stream: StreamName
    /// Nil if the stream does not exist.
    public let holder: String?
    /// The time up to which nothing was owed when the stream's last holder went. If several have held it without
    /// appending, it is the earliest of theirs, moved on by the time in which nobody came. Nil if nothing is owed or no
    /// one knows. Milliseconds since 1970, as `vacant`.
    public let since: Int?
    /// When the previous holder went: the time of its fence or its release.
    public let vacant: Int?
    /// Where the stream ended at the claim.
    public let end: StreamEnd

    /// A client that waits for the room asks for it within this time of the loss of its home, in ms.
    public static let waiting = 10_000

    public init(stream: StreamName, holder: String?, since: Int? = nil, vacant: Int? = nil, end: StreamEnd) {
        (self.stream, self.holder, self.since, self.vacant, self.end) = (stream, holder, since, vacant, end)
    }
}

/// A run's claim or release of a stream.
struct ClaimChange: Sendable {
    enum Kind: Sendable {
        case claim
        case release(owed: Int?, at: Int)
    }

    let kind: Kind
    let stream: StreamName
    let ticket: Ticket
    let inbox: any LogInbox
}
