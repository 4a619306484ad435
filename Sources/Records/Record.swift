import Cryptography

/// An event in the log. It is a class because it is passed on often and has many fields.
public final class Record: Sendable, Equatable {
    /// The stream that it is part of.
    public let stream: StreamName
    /// 1, 2, 3 ... in its stream, without gaps.
    public let version: Int
    /// Increases over all streams, with possible gaps. Never reused, except for positions that a failover has lost.
    public let position: Int
    /// The commit that wrote it.
    public let commit: CommitID
    /// What was appended.
    public let event: Event
    /// The stream's head while this record is its last: see `StreamEnd.head`.
    public let hash: Digest

    /// For engines, which make records from what they have stored.
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

    /// The stream's end while this record is its last.
    public var end: StreamEnd { StreamEnd(version: version, head: hash) }
}
