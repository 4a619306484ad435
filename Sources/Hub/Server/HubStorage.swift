import EventStore
import Games

/// Everything that outlives a hub: a data folder, a database, or a script's memory. Opened once by each start.
public protocol HubStorage: Sendable {
    /// - Parameter run: identifies the start of the hub that writes to it.
    func openLog(for run: String) throws(EventLogError) -> any EventLog
    /// Where hubs that share the log announce themselves; nil if the log is not shared.
    func openLeases(for run: String) throws(EventLogError) -> (any LeaseStore)?
    func openRows() throws(EventLogError) -> any RowStore
    /// When the rooms of the previous hub could last be played, in ms since 1970; nil if none has run.
    var lastSignOfLife: Milliseconds? { get }
    /// Records `time` for the next start.
    func recordSignOfLife(at time: Milliseconds)
    /// Records what the log holds, to be compared at the next start. Does nothing if the engine does not count.
    func recordTally(_ tally: LogTally)
}

extension HubStorage {
    public func openLeases(for run: String) throws(EventLogError) -> (any LeaseStore)? { nil }
    public func recordTally(_ tally: LogTally) {}
}
