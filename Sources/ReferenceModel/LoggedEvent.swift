/// A record of a stream, as whoever keeps the log says it.
public struct LoggedEvent: Sendable {
    /// `room/k3m7pq`, `hub`, `account/…`.
    public let stream: String
    /// 1, 2, 3 … in its stream.
    public let version: Int
    /// What the commit is called that it came with.
    public let commit: String
    /// What everybody may see: the bytes of the event's message.
    public let shown: [UInt8]
    /// What never leaves the hub; nil where there is nothing secret.
    public let sealed: [UInt8]?
    /// The stream's head behind it: 32 bytes.
    public let head: [UInt8]

    public init(
        stream: String, version: Int, commit: String, shown: [UInt8], sealed: [UInt8]?, head: [UInt8]
    ) {
        (self.stream, self.version, self.commit) = (stream, version, commit)
        (self.shown, self.sealed, self.head) = (shown, sealed, head)
    }
}
