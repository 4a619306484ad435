import Cryptography

/// The name of a stream: `room/<code>`, `account/<id>`, `name/<folded name>`, `token/<hash>` or `hub`.
public struct StreamName: Hashable, Sendable {
    public let text: String

    public init(text: String) { self.text = text }

    public static func room(_ code: String) -> StreamName { StreamName(text: "room/" + code) }
    public static func account(_ id: String) -> StreamName { StreamName(text: "account/" + id) }
    /// Whose a name is; `folded` is the name as names are compared.
    public static func name(_ folded: String) -> StreamName { StreamName(text: "name/" + folded) }
    /// Whose a token is; `hash` is its SHA-256 in hex.
    public static func token(_ hash: String) -> StreamName { StreamName(text: "token/" + hash) }
    /// The hub's own: its outages, and which clock was said to be right.
    public static let hub = StreamName(text: "hub")

    /// How the names of streams begin that a commit may erase: no other chain refers to them.
    static let erasablePrefixes = ["account/", "name/", "token/"]

    /// Whether a commit may erase it.
    public var isErasable: Bool {
        // Nearly all records are a room's, which is told by one byte.
        text.utf8.first != UInt8(ascii: "r") && Self.erasablePrefixes.contains { text.utf8.starts(with: $0.utf8) }
    }

    /// The code of the room whose stream it is; nil if it is no room's.
    public var roomCode: String? { text.hasPrefix("room/") ? String(Substring(text.utf8.dropFirst(5))) : nil }

    /// As logs may show it: whose name or token it is stays out.
    public var shownInLogs: String {
        // By bytes: some letters join the slash before them.
        for kind in ["name/", "token/"] where text.utf8.starts(with: kind.utf8) { return kind + "…" }
        return text
    }

    /// Stands for all streams where a name is asked for; no stream is called so.
    public static let all = StreamName(text: "")

    /// The head of a stream without records: SHA-256 of its name.
    public var origin: Digest { SHA256.digest(of: text) }

    /// The end of a stream without records.
    public var start: StreamEnd { StreamEnd(version: 0, head: origin) }

    /// Byte for byte, as engines compare them: Swift takes one writing of "é" for the other.
    public static func == (left: StreamName, right: StreamName) -> Bool { left.text.hasSameBytes(as: right.text) }

    // What has the same bytes is equal to Swift, too, and hashes alike.
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// Where a stream ends. Whoever appends to it must know it: by the version alone, a stream that has lost its newest
/// records and got others in their place would be gone on with unnoticed.
public struct StreamEnd: Sendable, Equatable {
    /// Of the last record; 0 if there is none.
    public private(set) var version: Int
    /// The hash of the last record; `StreamName.origin` if there is none.
    public private(set) var head: Digest

    public init(version: Int, head: Digest) {
        self.version = version
        self.head = head
    }

    /// `event` comes next.
    public mutating func advance(by event: Event, with hasher: SHA256 = SHA256()) {
        version += 1
        head = Self.head(after: head, shown: event.shown, sealed: event.sealed, with: hasher)
    }

    /// SHA-256(previous head || SHA-256(shown) || SHA-256(sealed), if any). Anyone who holds the shown bytes, and the
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
    func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8.span, other.utf8.span)
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}
