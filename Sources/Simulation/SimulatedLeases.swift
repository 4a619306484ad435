import EventStore
import Records

/// A node's way to the leases, which may be late or blocked.
// Sendable only for the compiler: a world runs on one thread.
final class SimulatedLeases: LeaseStore, @unchecked Sendable {
    typealias Answer = @Sendable (Result<LeaseRenewal, EventLogError>) -> Void

    private let store: InMemoryLeaseStore
    /// The process that makes the calls, once it has started.
    weak var process: HubProcess?
    /// Calls and answers to perform, in order.
    private var waiting: [() -> Void] = []

    init(_ store: InMemoryLeaseStore) { self.store = store }

    func renew(_ note: [UInt8], presence: PresenceReport, silences: SilenceReport, answer: @escaping Answer) {
        guard let process, process.isDatabaseLost || process.isDatabaseLate || !waiting.isEmpty else {
            return store.renew(note, presence: presence, silences: silences, answer: answer)
        }
        // Whether the call or the answer is late is the same for the caller, but not for other nodes.
        if process.world.delays.chance(1, in: 2), !process.isDatabaseLost {
            store.renew(note, presence: presence, silences: silences) { [self] result in
                waiting.append { answer(result) }
            }
        } else {
            waiting.append { [self] in
                if self.process?.isDatabaseLost != false {
                    answer(.failure(.cannotWrite(reason: "simulated")))
                } else {
                    store.renew(note, presence: presence, silences: silences, answer: answer)
                }
            }
        }
        process.world.schedule(
            .lease, after: process.world.delays.number(in: HubProcess.lateness), index: process.node.index)
    }

    func read(answer: @escaping Answer) { store.read(answer: answer) }
    func close() { store.close() }

    /// Performs the call that has waited longest.
    func runOldestCall() { if !waiting.isEmpty { waiting.removeFirst()() } }
}
