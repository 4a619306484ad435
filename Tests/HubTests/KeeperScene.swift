import EventStore
import Games
import Records
import Synchronization

@testable import Cluster
@testable import Hub
@testable import RoomRules

/// The keeper of a node `a`.
final class KeeperScene {
    let hub = ScriptedHub(
        seed: 1, on: ScriptedStorage(), as: ScriptedNode(name: NodeName("a"), links: ScriptedLinks()))
    let host = ScriptedNodeHost()
    /// The database's clock.
    let database = ScriptedTime()
    let loops = ScriptedLoops()
    private let inbox = ScriptedInbox()

    /// `others`: the nodes that already serve, under runs of the same names.
    init(others: [String] = [], areLinked: Bool = true) {
        linked = areLinked ? others : []
        for other in others {
            record(.joined(NodeRun(node: NodeName(other), run: other, address: "http://\(other)"), at: hub.now))
        }
        let end = hub.storage.records(of: .hub).last?.end ?? StreamName.hub.start
        let shared = SharedTime(hub.time, wall, between: hub.time.read().boot, and: hub.time.read().boot)
        hub.shard.node?.keeper = NodeKeeper(
            NodeRun(node: NodeName("a"), run: "a", address: "http://a"), hub.shard.surroundings, loops: hub,
            leases: leases(of: "a"), time: shared, host: host, hubEnd: end,
            lastTurned: { [hub, loops] in loops.standSince ?? hub.now },
            lastPlayed: { [hub, loops] in loops.owesSince ?? hub.now },
            post: { [inbox] in inbox.post(.node($0)) })
    }

    private var wall: Milliseconds { database.read().wall / 1_000_000 }
    private var hasBegun = false
    private let linked: [String]

    /// `meanwhile` is called before its own record is written.
    func begin(meanwhile: () -> Void = {}) {
        hasBegun = true
        hub.log.pace = .stepped
        hub.shard.keeper?.start()
        for other in linked { link(other) }
        for message in inbox.take() { hub.shard.handle(message) }
        meanwhile()
        hub.log.pace = .automatic
        settle()
    }

    private func leases(of run: String) -> InMemoryLeaseStore {
        InMemoryLeaseStore(storage: hub.storage, run: run) { [database] in database.read().wall / 1_000_000 }
    }

    /// How often this node has renewed its lease.
    var renewals: Int { lease?.renewals ?? 0 }

    /// This node's last report about itself.
    var note: NodeNote? { lease.flatMap { NodeNote($0.note) } }

    private var lease: Lease? {
        let lease = Mutex(Lease?.none)
        leases(of: "watcher").read { answer in
            let found = try? answer.get().leases.first { $0.run == "a" }
            lease.withLock { $0 = found }
        }
        return lease.withLock { $0 }
    }

    /// The link to another node is made, or lost.
    func link(_ other: String, isLinked: Bool = true) {
        hub.shard.keeper?.sees(LinkSight(run: other, isLinked: isLinked, since: hub.now), of: NodeName(other))
    }

    /// Another node renews its lease, by its own time.
    func renew(
        _ other: String, ahead: Milliseconds = 0, links: Int = 0, joins: Bool = false, settled: Milliseconds? = nil,
        presence: PresenceReport = PresenceReport()
    ) {
        var note = NodeNote(node: NodeName(other), address: "http://\(other)", now: hub.now + ahead, wall: wall)
        (note.links, note.isJoining) = (links, joins)
        if let settled { note.settled = settled }
        leases(of: other).renew(note.bytes, presence: presence, silences: SilenceReport(isServing: !joins)) { _ in }
    }

    func record(_ change: NodeRecord) {
        let end = hub.storage.records(of: .hub).last?.end ?? StreamName.hub.start
        InMemoryLog(storage: hub.storage).append(change.commit(expecting: end), ticket: 0, answer: AppendAnswers())
        hub.log.poll()
        hub.settle()
    }

    func pass(_ span: Milliseconds) {
        if !hasBegun { begin() }
        for _ in 0..<span / 100 {
            database.pass(100)
            hub.pass(100)
            settle()
        }
    }

    private func settle() {
        for message in inbox.take() { hub.shard.handle(message) }
        hub.settle()
    }

    /// The records of the stream `hub` after the one that identifies the log.
    var recorded: [String] { hub.storage.records(of: .hub).map(\.event.type).filter { $0 != LogOrigin.type } }
}
