import EventStore
import Hub

/// What outlives a hub: its log, its read models' rows, and the note of its last sign of life.
// Sendable only for the compiler: a world runs on one thread.
final class SimulatedDisk: HubStorage, @unchecked Sendable {
    let storage = InMemoryStorage()
    private(set) var rows = SimulatedRows(InMemoryRowStore())
    /// The rows after a power loss.
    private var synced = InMemoryRowStore()
    private(set) var lastSignOfLife: Int?

    func openLog(for run: String) -> any EventLog { InMemoryLog(storage: storage) }

    func openRows() -> any RowStore {
        rows = SimulatedRows(rows.store)
        return rows
    }

    func recordSignOfLife(at time: Int) { lastSignOfLife = time }

    func loseNote() { lastSignOfLife = nil }

    /// The present rows are on the disk.
    func syncRows() { synced = InMemoryRowStore(copying: rows.store) }

    /// Rows written since then are gone.
    func loseRows() { rows = SimulatedRows(InMemoryRowStore(copying: synced)) }

    func dropRows() { rows = SimulatedRows(InMemoryRowStore()) }
}

/// Rows that are written and read in order, at once or when the world says so.
// Sendable only for the compiler: a world runs on one thread.
final class SimulatedRows: RowStore, @unchecked Sendable {
    private(set) var store: InMemoryRowStore
    /// How many nodes have begun to write, if several do.
    var beginnings = 0
    private var waiting: [() -> Void] = []
    var lags = false { didSet { if !lags { runCalls(.max) } } }

    init(_ store: InMemoryRowStore) { self.store = store }

    func apply(_ changes: [RowChange], reached position: Int?) {
        call { [self] in store.apply(changes, reached: position) }
    }

    func ask(_ queries: [RowQuery], answer: @escaping RowReply) {
        call { [self] in store.ask(queries, answer: answer) }
    }

    /// Does something with the rows, after all waiting calls.
    func call(_ work: @escaping () -> Void) { if lags { waiting.append(work) } else { work() } }

    /// They have gone back with the database.
    func goBack(to earlier: InMemoryRowStore, beginnings: Int) { (store, self.beginnings) = (earlier, beginnings) }

    /// Performs all waiting calls.
    func close() { runCalls(.max) }

    var isBusy: Bool { !waiting.isEmpty }

    /// Performs up to `count` calls that wait.
    func runCalls(_ count: Int) {
        let part = waiting.prefix(count)
        waiting.removeFirst(part.count)
        for call in part { call() }
    }
}
