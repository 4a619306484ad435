import Cryptography

/// The name of a stream: `room/<code>`, `account/<id>`, `name/<folded name>`, `token/<hash>` or `hub`.
public struct StreamName: Hashable, Sendable {
    /// Only its bytes matter.
    public let text: String

    /// Any text is allowed.
    public init(text: String) { self.text = text }

    /// The stream of the room with this code.
    public static func room(_ code: String) -> StreamName { StreamName(text: "room/" + code) }
    /// The stream of the account with this id.
    public static func account(_ id: String) -> StreamName { StreamName(text: "account/" + id) }
    /// The stream of a name's owner; `folded` is the name as names are compared.
    public static func name(_ folded: String) -> StreamName { StreamName(text: "name/" + folded) }
    /// The stream of a token's owner; `hash` is its SHA-256 in hex.
    public static func token(_ hash: String) -> StreamName { StreamName(text: "token/" + hash) }
    /// The hub's own stream: its outages, and which clock was declared right.
    public static let hub = StreamName(text: "hub")

    /// Prefixes of streams that a commit may erase, because no other chain refers to them.
    static let erasablePrefixes = ["account/", "name/", "token/"]

    /// Whether a commit may erase it.
    public var isErasable: Bool {
        // Nearly all records are of rooms, which the first byte shows.
        text.utf8.first != UInt8(ascii: "r") && Self.erasablePrefixes.contains { text.utf8.starts(with: $0.utf8) }
    }

    /// Nil if it is not a room's stream.
    public var roomCode: String? { text.hasPrefix("room/") ? String(Substring(text.utf8.dropFirst(5))) : nil }

    /// For logs, without the name or token itself.
    public var shownInLogs: String {
        // By bytes: as characters, some letters would join the slash before them.
        for kind in ["name/", "token/"] where text.utf8.starts(with: kind.utf8) { return kind + "…" }
        return text
    }

    /// Means all streams where a name is required. No stream has this name.
    public static let all = StreamName(text: "")

    /// The head of a stream without records: SHA-256 of its name.
    public var origin: Digest { SHA256.digest(of: text) }

    /// The end of a stream without records.
    public var start: StreamEnd { StreamEnd(version: 0, head: origin) }

    /// Compares bytes, as engines do. Swift's `==` treats both encodings of "é" as equal.
    @inlinable
    public static func == (left: StreamName, right: StreamName) -> Bool { left.text.hasSameBytes(as: right.text) }

    // Equal bytes are equal strings in Swift too, so they have the same hash.
    @inlinable
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// The end of a stream, which an append must know. The version alone would not show that a stream has lost its newest
/// records and got others instead.
public struct StreamEnd: Sendable, Equatable {
    /// The version of the last record; 0 if there is none.
    public private(set) var version: Int
    /// The hash of the last record; `StreamName.origin` if there is none.
    public private(set) var head: Digest

    /// Version 0 goes with the stream's `origin`.
    public init(version: Int, head: Digest) {
        self.version = version
        self.head = head
    }

    /// Moves the end past `event`.
    public mutating func advance(by event: Event, with hasher: SHA256 = SHA256()) {
        version += 1
        head = Self.head(after: head, shown: event.shown, sealed: event.sealed, with: hasher)
    }

    /// SHA-256(previous head || SHA-256(shown) || SHA-256(sealed), if any). Anyone who has the shown bytes, and the
    /// hashes of the few sealed ones, can check the chain.
    public static func head(after previous: Digest, shown: [UInt8], sealed: [UInt8]?, with hasher: SHA256) -> Digest {
        hasher.update(shown)
        let shownDigest = hasher.finish()
        var sealedDigest: Digest?
        if let sealed {
            hasher.update(sealed)
            sealedDigest = hasher.finish()
        }
        hasher.update(previous)
        hasher.update(shownDigest)
        if let sealedDigest { hasher.update(sealedDigest) }
        return hasher.finish()
    }
}

extension String {
    @inlinable
    func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8.span, other.utf8.span)
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}
