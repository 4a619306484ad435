/// Names a commit; unique in each stream that it appends to, for ever. It is bytes to the log, as the names of streams
/// are.
public struct CommitID: Hashable, Sendable, ExpressibleByStringInterpolation {
    public let text: String

    public init(text: String) { self.text = text }
    public init(stringLiteral text: String) { self.text = text }

    /// Byte for byte, as engines compare them: Swift takes one writing of "é" for the other.
    public static func == (left: CommitID, right: CommitID) -> Bool { left.text.hasSameBytes(as: right.text) }

    // What has the same bytes is equal to Swift, too, and hashes alike.
    public func hash(into hasher: inout Hasher) { text.hash(into: &hasher) }
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

/// What is done to one stream or several, as a whole or not at all. Each stream must end where the commit expects it.
public struct Commit: Sendable, Equatable {
    public enum Part: Sendable, Equatable {
        /// One event or more.
        case append([Event], to: StreamName, expecting: StreamEnd)
        /// Forgets an erasable stream that has records.
        case erase(StreamName, expecting: StreamEnd)
    }

    public let id: CommitID
    /// One or more, each of another stream.
    public let parts: [Part]
    /// A run that is lost with this commit, or leaves by it (see `LeaseStore`); nil, as for nearly all: none.
    ///
    /// No commit of a log that was opened for this run is done after this one. While a transaction of such a log is
    /// open, this waits as for a stream that another's transaction has. An engine that lets one process alone write
    /// does nothing for it.
    public let fencing: Fencing?

    /// A commit without a part, with two of one stream, or with one that no engine can do, is a precondition failure.
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

    /// Whether it has a part that erases.
    public var erases: Bool { parts.contains { if case .erase = $0 { true } else { false } } }
}

/// The end of a run, which writes nothing from then on.
public struct Fencing: Sendable, Equatable {
    public let run: String
    /// The last renewal of its lease that was seen, `Lease.renewals`: if it has renewed since, it is not lost, and
    /// nothing is done. Nil where that does not matter: a run leaves by itself.
    public let renewals: Int?
    /// Up to when nothing is owed in the streams that it holds; nil: nobody knows. Milliseconds since 1970, as `time`.
    public let settled: Int?
    /// When it was found to be lost, or left.
    public let time: Int

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
        case .append(let events, _, _): precondition(!events.isEmpty, "there are one or more events to append")
        case .erase(let stream, let end):
            precondition(stream.isErasable, "\(stream.text) cannot be erased")
            precondition(end.version > 0, "a stream without records cannot be erased")
        }
    }
}
