/// A time in which no run that serves renewed its lease, because nobody could reach the database or no process ran.
/// The first renewal after it finds it, and the database keeps it until a run has seen it in the log. A database whose
/// clock is set forward finds one, too, and none while a clock that was set back has not caught up.
public struct Silence: Sendable, Hashable {
    /// The shortest one, in milliseconds. A run that renews every second and misses one renewal is not silent yet.
    public static let least = 3_000
    /// Most that one answer says, the oldest first; the others follow once these are recorded. After long trouble there
    /// may be one for every few seconds.
    public static let answerLimit = 64

    /// When a lease was renewed for the last time before it. Milliseconds since 1970 (UTC), by the database's clock.
    public let since: Int
    /// When a lease was renewed for the first time after it.
    public let until: Int

    public init(since: Int, until: Int) { (self.since, self.until) = (since, until) }
}

/// What a run says of silences when it renews its lease.
public struct SilenceReport: Sendable, Equatable {
    /// Whether the run serves rooms. The renewal of a run that does not, as of one that is only joining, ends no
    /// silence.
    public var isServing: Bool
    /// Silences that answers said and that the run has since seen in the log: the database deletes them.
    public var recorded: [Silence]
    /// The end of the stream `hub` where the run had seen all of `recorded`. A database that has failed over and does
    /// not have this record deletes nothing, since its log may have lost them.
    public var end: StreamEnd

    public init(isServing: Bool, recorded: [Silence] = [], in end: StreamEnd = StreamName.hub.start) {
        (self.isServing, self.recorded, self.end) = (isServing, recorded, end)
    }
}
