import Records

/// A log that several processes write to, each for a run of its own (see `LeaseStore`). A run *claims* a stream that
/// nobody else is to append to: while it holds the claim, appends of others are answered `claimed`. A claim goes when
/// it is released, or when its run is fenced; never because a lease is missing.
///
/// Claims need not survive what the log does: a server that loses power, or a replica that takes over, may have lost
/// the last of them. So a log that has lost its connection claims again what it holds before it writes, and tells of
/// each claim that another run has taken, or by which something is owed.
public protocol SharedEventLog: EventLog {
    /// Claims `stream` for the run that the log was opened for, which may hold it already. Answered by `claimed`, in
    /// the order of this log's appends: what was handed over before has been judged. `claimLost` and
    /// `claimedAgain` come to the same inbox.
    func claim(_ stream: StreamName, ticket: Ticket, answer: any LogInbox)

    /// Gives the claim up, once all that this run appends to the stream has been answered. Answered by `released`.
    ///
    /// - Parameters:
    ///   - owed: from when on nobody judges what there is to be judged, as where a process stops in the middle of
    ///     games, or what it was told to be owed when it claimed the stream and has not judged; nil where there is
    ///     nothing. Milliseconds since 1970.
    ///   - time: now, likewise.
    func release(_ stream: StreamName, owed: Int?, at time: Int, ticket: Ticket, answer: any LogInbox)
}

/// Who holds the claim of a stream.
public struct Claim: Sendable, Equatable {
    public let stream: StreamName
    /// Nil: there is no such stream.
    public let holder: String?
    /// Up to when nothing was owed when the stream's last holder went, the earliest of those that have not appended
    /// since; nil: nothing is owed, or nobody knows. Milliseconds since 1970, as `vacant`.
    public let since: Int?
    /// When the holder before went: the time of its fence, or of its release.
    public let vacant: Int?
    /// Where the stream ended then.
    public let end: StreamEnd

    public init(stream: StreamName, holder: String?, since: Int? = nil, vacant: Int? = nil, end: StreamEnd) {
        (self.stream, self.holder, self.since, self.vacant, self.end) = (stream, holder, since, vacant, end)
    }
}

/// What a run wants with a stream.
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
