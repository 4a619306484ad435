import EventStore
import Games

/// What outlives a hub: a data folder, or a script's memory. Opened once by each start.
public protocol HubStorage: Sendable {
    /// - Parameter run: names the start of the hub that writes to it.
    func openLog(for run: String) throws(EventLogError) -> any EventLog
    /// Where hubs that share the log say that they are there; nil where one has it for itself.
    func openLeases(for run: String) throws(EventLogError) -> (any LeaseStore)?
    /// The read models' rows.
    func openRows() throws(EventLogError) -> any RowStore
    /// When the rooms of the hub that ran before could last be played, in ms since 1970; nil if none has run.
    var lastSignOfLife: Milliseconds? { get }
    /// Whoever starts after this is told `time`.
    func note(signOfLife time: Milliseconds)
    /// What the log holds, to be compared with it at the next start; nothing where the engine keeps no count of it.
    func note(_ tally: LogTally)
}

extension HubStorage {
    public func openLeases(for run: String) throws(EventLogError) -> (any LeaseStore)? { nil }
    public func note(_ tally: LogTally) {}
}
