import Cryptography

/// The name of a stream: `room/<code>`, `player/<folded name>` or `hub`.
public struct StreamName: Hashable, Sendable {
    public let text: String

    public init(text: String) { self.text = text }

    public static func room(_ code: String) -> StreamName { StreamName(text: "room/" + code) }
    /// `folded` is the name after NFKC and case folding, as names are compared.
    public static func player(_ folded: String) -> StreamName { StreamName(text: "player/" + folded) }
    /// The hub's own: its outages.
    public static let hub = StreamName(text: "hub")

    /// The code of the room whose stream it is; nil if it is no room's.
    public var roomCode: String? { text.hasPrefix("room/") ? String(text.dropFirst(5)) : nil }

    /// Whether `EventLog.erase` takes it: no other chain refers to a player's stream.
    public var isErasable: Bool { text.hasPrefix("player/") }

    /// Stands for all streams where a name is asked for; no stream is called so.
    static let all = StreamName(text: "")

    /// The head of a stream without records: SHA-256 of its name.
    public var origin: Digest { SHA256.digest(of: text) }
}

/// An event to be appended.
public struct Event: Sendable, Equatable {
    /// Milliseconds since 1970 (UTC).
    public let time: Int
    /// The kind of event, for those who look for one kind: `show-card`.
    public let type: String
    /// What everybody may see: kept and served byte for byte.
    public let shown: [UInt8]
    /// What never leaves the hub; nil where there is nothing secret.
    public let sealed: [UInt8]?

    public init(time: Int, type: String, shown: [UInt8], sealed: [UInt8]? = nil) {
        self.time = time
        self.type = type
        self.shown = shown
        self.sealed = sealed
    }
}

/// Events that are appended together or not at all. Its id is unique in its stream for ever.
public struct Commit: Sendable, Equatable {
    public let id: String
    /// One or more.
    public let events: [Event]

    public init(id: String, events: [Event]) {
        self.id = id
        self.events = events
    }
}

/// An event in the log.
public struct Record: Sendable, Equatable {
    public let stream: StreamName
    /// 1, 2, 3 ... in its stream, without gaps.
    public let version: Int
    /// Grows over all streams; gaps are possible, no position is used twice.
    public let position: Int
    /// The id of the commit it came with.
    public let commit: String
    public let event: Event
    /// The stream's head once this record is its last: see `Record.head`.
    public let hash: Digest

    public init(stream: StreamName, version: Int, position: Int, commit: String, event: Event, hash: Digest) {
        self.stream = stream
        self.version = version
        self.position = position
        self.commit = commit
        self.event = event
        self.hash = hash
    }

    /// SHA-256(previous head || SHA-256(shown) || SHA-256(sealed), if any): anyone who holds the shown bytes, and the
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
