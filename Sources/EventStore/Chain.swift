import Cryptography
import Records

/// Checks the records of one stream against each other, one after the other. Every engine reads through it, and so do
/// tools.
public struct Chain {
    public let stream: StreamName
    /// The version of the newest record that was accepted.
    public private(set) var version: Int
    /// The stream's head at `version`.
    public private(set) var head: Digest
    private let hasher: SHA256

    /// Begins before the first record.
    public init(of stream: StreamName, with hasher: SHA256 = SHA256()) {
        self.init(of: stream, version: 0, head: stream.origin, with: hasher)
    }

    /// Begins behind the record at `version`, whose hash is `head`.
    public init(of stream: StreamName, version: Int, head: Digest, with hasher: SHA256 = SHA256()) {
        self.stream = stream
        self.version = version
        self.head = head
        self.hasher = hasher
    }

    /// Takes the next record. Throws `chainBroken`, and stays where it is, unless this is the next version and its hash
    /// follows from what it holds and from the head before it.
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
