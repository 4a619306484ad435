/// A time in which no serving run renewed its lease, because the database could not be reached or no process ran. The
/// first renewal after it finds it, and the database keeps it until a run has seen it in the log. Setting the
/// database's clock forward makes one too. While a clock that was set back catches up, none is found.
public struct Silence: Sendable, Hashable {
    /// The shortest one, in milliseconds. Runs renew every second, and one missed renewal is not a silence yet.
    public static let least = 3_000
    /// Most in one answer, oldest first. The others follow once these are recorded. After long trouble there may be one
    /// every few seconds.
    public static let answerLimit = 64

    /// The last lease renewal before it. Milliseconds since 1970 (UTC), by the database's clock.
    public let since: Int
    /// The first lease renewal after it.
    public let until: Int

    /// `since` is before `until`.
    public init(since: Int, until: Int) { (self.since, self.until) = (since, until) }
}

/// What a run reports about silences when it renews its lease.
public struct SilenceReport: Sendable, Equatable {
    /// Whether the run serves rooms. A renewal of another run, such as one that is only joining, ends no silence.
    public var isServing: Bool
    /// Silences from earlier answers that the run has since seen in the log. The database deletes them.
    public var recorded: [Silence]
    /// The end of the stream `hub` where the run had seen all of `recorded`. A database that failed over and lacks this
    /// record deletes nothing, since its log may have lost them.
    public var end: StreamEnd

    /// By default the run has recorded nothing.
    public init(isServing: Bool, recorded: [Silence] = [], in end: StreamEnd = StreamName.hub.start) {
        (self.isServing, self.recorded, self.end) = (isServing, recorded, end)
    }
}
