import EventStore
import Foundation
import Games
import Synchronization
import Threads

@testable import Hub

/// A database in memory that nodes share, each on its own threads. Each sees what others write within milliseconds.
final class NodeDatabase: HubStorage {
    let storage = InMemoryStorage()
    private let rows = InMemoryRowStore()
    private let shared = Shared()

    private final class Shared: Sendable {
        let logs = Mutex<[InMemoryLog]>([])
        let hasEnded = Mutex(false)
    }

    init() throws {
        _ = try SystemThread("database") { [shared] in
            while !shared.hasEnded.withLock({ $0 }) {
                for log in shared.logs.withLock({ $0 }) {
                    log.poll()
                    // What other threads have asked for since.
                    log.run()
                }
                Thread.sleep(forTimeInterval: 0.002)
            }
        }
    }

    deinit { shared.hasEnded.withLock { $0 = true } }

    func openLog(for run: String) -> any EventLog {
        let log = InMemoryLog(storage: storage, run: run)
        shared.logs.withLock { $0.append(log) }
        return log
    }

    func openLeases(for run: String) -> (any LeaseStore)? {
        InMemoryLeaseStore(storage: storage, run: run) { SystemTime().read().wall / 1_000_000 }
    }

    /// The events of a room as everyone sees them, in order.
    func lines(ofRoom code: String) -> [String] {
        storage.records(of: .room(code)).map { String(decoding: $0.event.shown, as: UTF8.self) }
    }

    func openRows() -> any RowStore { rows }
    var lastSignOfLife: Milliseconds? { nil }
    func recordSignOfLife(at time: Milliseconds) {}
}
