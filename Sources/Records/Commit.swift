/// The id of a commit, unique forever in each stream that it appends to. Like a stream's name, it is only bytes to the
/// log.
public struct CommitID: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Only its bytes matter.
    public let text: String

    /// Any text is allowed.
    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.text = text }

    /// Compares bytes, as engines do. Swift's `==` treats both encodings of "é" as equal.
    @inlinable
    public static func == (left: CommitID, right: CommitID) -> Bool { left.text.hasSameBytes(as: right.text) }

    // Equal bytes are equal strings in Swift too, so they have the same hash.
    @inlinable
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
}

/// An event to be appended.
public struct Event: Sendable, Equatable {
    /// Milliseconds since 1970 (UTC).
    public let time: Int
    /// The kind of event, for readers that look for one kind: `show-card`.
    public let type: String
    /// The public part, stored and served byte for byte.
    public let shown: [UInt8]
    /// The part that never leaves the hub; nil if nothing is secret.
    public let sealed: [UInt8]?

    /// `sealed` is nil unless the event has a secret.
    public init(time: Int, type: String, shown: [UInt8], sealed: [UInt8]? = nil) {
        self.time = time
        self.type = type
        self.shown = shown
        self.sealed = sealed
    }
}

/// Changes to one or more streams, made together or not at all. Each stream must end where the commit expects it to.
public struct Commit: Sendable, Equatable {
    /// A change to one stream.
    public enum Part: Sendable, Equatable {
        /// One event or more.
        case append([Event], to: StreamName, expecting: StreamEnd)
        /// Forgets an erasable stream that has records.
        case erase(StreamName, expecting: StreamEnd)
    }

    /// Makes sure that the commit is written once.
    public let id: CommitID
    /// One or more, each for a different stream.
    public let parts: [Part]
    /// A run that this commit declares lost, or that leaves by it (see `LeaseStore`); nearly always nil.
    ///
    /// A log that was opened for that run writes no commit after this one. While such a log has a transaction open,
    /// this commit waits, as it does for a stream in another writer's transaction. Engines with a single writing
    /// process ignore it.
    public let fencing: Fencing?

    /// No parts, two parts for one stream, or a part that no engine can do are a precondition failure.
    public init(id: CommitID, parts: [Part], fencing: Fencing? = nil) {
        self.id = id
        self.parts = parts
        self.fencing = fencing
        for part in parts { part.check() }
        precondition(!parts.isEmpty, "a commit has one part or more")
        precondition(parts.count == 1 || Set(parts.map(\.stream)).count == parts.count, "a stream has one part")
    }

    /// Appends to one stream, as nearly every commit does.
    public init(id: CommitID, appending events: [Event], to stream: StreamName, expecting end: StreamEnd) {
        self.init(id: id, parts: [.append(events, to: stream, expecting: end)])
    }

    /// Whether it erases any stream.
    public var erases: Bool { parts.contains { if case .erase = $0 { true } else { false } } }
}

/// The end of a run, which writes nothing afterwards.
public struct Fencing: Sendable, Equatable {
    /// The run that ends.
    public let run: String
    /// `Lease.renewals` as last seen. If the run has renewed its lease since, it is not lost and nothing is written.
    /// Nil if the run leaves by itself.
    public let renewals: Int?
    /// The time up to which nothing is owed in the run's streams; nil if no one knows. Milliseconds since 1970, as
    /// `time`.
    public let settled: Int?
    /// When the run was found to be lost, or left.
    public let time: Int

    /// Without `renewals` the run leaves by itself.
    public init(run: String, renewals: Int? = nil, settled: Int? = nil, time: Int) {
        (self.run, self.renewals, self.settled, self.time) = (run, renewals, settled, time)
    }
}

extension Commit.Part {
    /// The stream that this part changes.
    public var stream: StreamName {
        switch self {
        case .append(_, let stream, _), .erase(let stream, _): stream
        }
    }

    /// Where that stream has to end.
    public var expected: StreamEnd {
        switch self {
        case .append(_, _, let end), .erase(_, let end): end
        }
    }

    fileprivate func check() {
        switch self {
        case .append(let events, _, _): precondition(!events.isEmpty, "an append has one event or more")
        case .erase(let stream, let end):
            precondition(stream.isErasable, "\(stream.text) cannot be erased")
            precondition(end.version > 0, "a stream without records cannot be erased")
        }
    }
}
