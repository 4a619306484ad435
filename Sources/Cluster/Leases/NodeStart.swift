import EventStore
import Games
import RoomRules
import Threads
import Transport

/// What a node knows about the others before it starts, including their time.
public struct NodeStart: Sendable {
    /// This run.
    public let node: NodeRun
    /// Where it will renew its lease.
    public let leases: any LeaseStore
    /// Its time from now on.
    public let time: SharedTime
    private let found: LeaseRenewal

    /// Asks the database for the time. Throws `EventLogError`.
    public init(
        _ leases: any LeaseStore, _ options: NodeOptions, run: String, _ source: any TimeSource
    ) throws(EventLogError) {
        self.leases = leases
        node = NodeRun(node: NodeName(options.name), run: run, address: options.address)
        let sent = source.read().boot
        found = try Self.read(leases)
        time = SharedTime(source, found.time, between: sent, and: source.read().boot)
    }

    /// The latest time among those of these runs that are running; nil if none is.
    public func time(of runs: [NodeRun]) -> Milliseconds? {
        // Leases outlive runs, and an old one looks new if the database's clock was set back.
        notes(of: runs).compactMap { $0.time(at: found.time, notOlderThan: LeaseWatch.limit) }.max()
    }

    /// The latest time that any of these runs has reported; nil if none has.
    public func leastTime(of runs: [NodeRun]) -> Milliseconds? { notes(of: runs).map(\.now).max() }

    private func notes(of runs: [NodeRun]) -> [NodeNote] {
        found.leases.filter { lease in runs.contains { $0.run == lease.run } }.compactMap { NodeNote($0.note) }
    }

    /// Waits for the current leases.
    public static func read(_ leases: any LeaseStore) throws(EventLogError) -> LeaseRenewal {
        let answers = Mailbox<Result<LeaseRenewal, EventLogError>>(limit: 1)
        leases.read { answers.post($0) }
        return try (answers.takeAll()?.first ?? .failure(.closed)).get()
    }
}
