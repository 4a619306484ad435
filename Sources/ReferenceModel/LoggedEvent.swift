/// A record of a stream, as the log has it.
public struct LoggedEvent: Sendable {
    /// `room/k3m7pq`, `hub`, `account/…`.
    public let stream: String
    /// 1, 2, 3 … in its stream.
    public let version: Int
    /// The id of its commit.
    public let commit: String
    /// The public part: the bytes of the event's message.
    public let shown: [UInt8]
    /// The part that never leaves the hub; nil if nothing is secret.
    public let sealed: [UInt8]?
    /// The stream's head after it: 32 bytes.
    public let head: [UInt8]

    public init(stream: String, version: Int, commit: String, shown: [UInt8], sealed: [UInt8]?, head: [UInt8]) {
        (self.stream, self.version, self.commit) = (stream, version, commit)
        (self.shown, self.sealed, self.head) = (shown, sealed, head)
    }
}
