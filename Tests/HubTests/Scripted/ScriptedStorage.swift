import EventStore
import Games
import Synchronization

@testable import Hub

/// What outlives a hub, in memory.
final class ScriptedStorage: HubStorage {
    let log: InMemoryStorage
    private let rows = Mutex(InMemoryRowStore())
    private let note = Mutex<Milliseconds?>(nil)

    init(log: InMemoryStorage = InMemoryStorage()) { self.log = log }

    func openLog(for run: String) -> any EventLog { InMemoryLog(storage: log) }
    func openRows() -> any RowStore { rows.withLock { $0 } }

    var lastSignOfLife: Milliseconds? {
        get { note.withLock { $0 } }
        set { note.withLock { $0 = newValue } }
    }

    func note(signOfLife time: Milliseconds) { lastSignOfLife = time }

    func dropRows() { rows.withLock { $0 = InMemoryRowStore() } }
}
