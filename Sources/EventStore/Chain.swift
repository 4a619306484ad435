import Cryptography
import Records

/// Checks that each record of a stream follows from the one before. All engines and tools read through it.
public struct Chain {
    public let stream: StreamName
    /// The version of the newest accepted record.
    public private(set) var version: Int
    /// The stream's head at `version`.
    public private(set) var head: Digest
    private let hasher: SHA256

    /// Starts before the first record.
    public init(of stream: StreamName, with hasher: SHA256 = SHA256()) {
        self.init(of: stream, version: 0, head: stream.origin, with: hasher)
    }

    /// Starts after the record at `version`, whose hash is `head`.
    public init(of stream: StreamName, version: Int, head: Digest, with hasher: SHA256 = SHA256()) {
        (self.stream, self.version, self.head, self.hasher) = (stream, version, head, hasher)
    }

    /// Accepts the next record. Throws `chainBroken` and changes nothing unless it has the next version, and its hash
    /// follows from its content and the head before it.
    public mutating func accept(_ record: Record) throws(EventLogError) {
        let expected = StreamEnd.head(
            after: head, shown: record.event.shown, sealed: record.event.sealed, with: hasher)
        guard record.version == version + 1, record.hash == expected else {
            throw .chainBroken(stream: stream, version: version + 1)
        }
        version = record.version
        head = expected
    }
}
