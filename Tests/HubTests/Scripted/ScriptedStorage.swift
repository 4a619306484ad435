import EventStore
import Games
import Synchronization

@testable import Hub

/// What outlives a hub, in memory.
final class ScriptedStorage: HubStorage {
    let log: InMemoryStorage
    private let storedRows = Mutex(ScriptedRows())
    private let note = Mutex<Milliseconds?>(nil)
    /// Whether nodes share the log: the database's clock, in ms since 1970; nil: they do not.
    private let databaseTime: Milliseconds?

    init(log: InMemoryStorage = InMemoryStorage(), sharedAt time: Milliseconds? = nil) {
        (self.log, databaseTime) = (log, time)
    }

    func openLog(for run: String) -> any EventLog { InMemoryLog(storage: log) }
    func openLeases(for run: String) -> (any LeaseStore)? {
        databaseTime.map { time in InMemoryLeaseStore(storage: log, run: run) { time } }
    }

    var rows: ScriptedRows { storedRows.withLock { $0 } }
    func openRows() -> any RowStore { rows }

    var lastSignOfLife: Milliseconds? {
        get { note.withLock { $0 } }
        set { note.withLock { $0 = newValue } }
    }

    func note(signOfLife time: Milliseconds) { lastSignOfLife = time }

    func dropRows() { storedRows.withLock { $0 = ScriptedRows() } }
}
