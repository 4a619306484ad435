import EventStore
import Games

/// What outlives a hub: a data folder, or a script's memory. Opened once by each start.
public protocol HubStorage: Sendable {
    func openLog() throws(EventLogError) -> any EventLog
    /// The read models' rows.
    func openRows() throws(EventLogError) -> any RowStore
    /// When the rooms of the hub that ran before could last be played, in ms since 1970; nil if none has run.
    var lastSignOfLife: Milliseconds? { get }
    /// Whoever starts after this is told `time`.
    func note(signOfLife time: Milliseconds)
}
