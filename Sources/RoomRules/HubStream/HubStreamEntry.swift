import Games
import Records

/// An entry of the stream `hub`, such as an outage.
public protocol HubStreamEntry: Sendable {
    /// Its id follows from its content.
    func commit(expecting end: StreamEnd) -> Commit
    /// Whether an unread record may make it wrong.
    var maySayWrong: Bool { get }
    /// The same for entries that depend on the time of writing, since the log may have been away.
    func commit(expecting end: StreamEnd, writtenAt now: Milliseconds) -> Commit
}

extension HubStreamEntry {
    public var maySayWrong: Bool { false }
    public func commit(expecting end: StreamEnd, writtenAt now: Milliseconds) -> Commit { commit(expecting: end) }
}
