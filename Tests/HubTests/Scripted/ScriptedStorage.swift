import EventStore
import Games
import Records
import Synchronization

@testable import Hub

/// What outlives a hub, in memory.
final class ScriptedStorage: HubStorage {
    let log: InMemoryStorage
    private let storedRows = Mutex(ScriptedRows())
    private let note = Mutex<Milliseconds?>(nil)
    /// The database's clock if nodes share the log, in ms since 1970; otherwise nil.
    private let databaseTime: (@Sendable () -> Milliseconds)?
    /// Whether no one can reach the database, so that leases are not renewed.
    private let away = Mutex(false)

    init(log: InMemoryStorage = InMemoryStorage(), sharedBy time: (@Sendable () -> Milliseconds)? = nil) {
        (self.log, databaseTime) = (log, time)
    }

    var isAway: Bool {
        get { away.withLock { $0 } }
        set { away.withLock { $0 = newValue } }
    }

    func openLog(for run: String) -> any EventLog { InMemoryLog(storage: log, run: run) }
    func openLeases(for run: String) -> (any LeaseStore)? {
        databaseTime.map { time in
            ScriptedLeases(InMemoryLeaseStore(storage: log, run: run, clock: time)) { [self] in isAway }
        }
    }

    var rows: ScriptedRows { storedRows.withLock { $0 } }
    func openRows() -> any RowStore { rows }

    var lastSignOfLife: Milliseconds? {
        get { note.withLock { $0 } }
        set { note.withLock { $0 = newValue } }
    }

    func recordSignOfLife(at time: Milliseconds) { lastSignOfLife = time }

    func dropRows() { storedRows.withLock { $0 = ScriptedRows() } }
}

/// Leases in memory that cannot be renewed while the database is away.
private final class ScriptedLeases: LeaseStore {
    private let store: InMemoryLeaseStore
    private let isAway: @Sendable () -> Bool

    init(_ store: InMemoryLeaseStore, isAway: @escaping @Sendable () -> Bool) {
        (self.store, self.isAway) = (store, isAway)
    }

    func renew(
        _ note: [UInt8], presence: PresenceReport, silences: SilenceReport,
        answer: @escaping @Sendable (Result<LeaseRenewal, EventLogError>) -> Void
    ) {
        if isAway() { return answer(.failure(.cannotWrite(reason: "the database is away"))) }
        store.renew(note, presence: presence, silences: silences, answer: answer)
    }

    func read(answer: @escaping @Sendable (Result<LeaseRenewal, EventLogError>) -> Void) {
        if isAway() { return answer(.failure(.cannotRead(reason: "the database is away"))) }
        store.read(answer: answer)
    }

    func close() { store.close() }
}
