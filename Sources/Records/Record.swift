import Cryptography

/// An event in the log. An object: it goes through many hands, and has many parts.
public final class Record: Sendable, Equatable {
    public let stream: StreamName
    /// 1, 2, 3 ... in its stream, without gaps.
    public let version: Int
    /// Grows over all streams; gaps are possible, no position is used twice, except for those that a failover has lost.
    public let position: Int
    /// The id of the commit it came with.
    public let commit: CommitID
    public let event: Event
    /// The stream's head once this record is its last: see `StreamEnd.head`.
    public let hash: Digest

    public init(stream: StreamName, version: Int, position: Int, commit: CommitID, event: Event, hash: Digest) {
        self.stream = stream
        self.version = version
        self.position = position
        self.commit = commit
        self.event = event
        self.hash = hash
    }

    public static func == (one: Record, other: Record) -> Bool {
        one === other
            || one.stream == other.stream && one.version == other.version && one.position == other.position
                && one.commit == other.commit && one.event == other.event && one.hash == other.hash
    }

    /// Where its stream ends if this is its last record.
    public var end: StreamEnd { StreamEnd(version: version, head: hash) }
}
