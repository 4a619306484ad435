import EventStore
import Games

@testable import Hub

// Faults of a cluster whose nodes have keepers.
extension ScriptedCluster {
    /// No node can reach the database, or all can again.
    func setDatabase(away: Bool) {
        disk.isAway = away
        for node in living { if away { node.log.disconnect() } else { node.log.reconnect() } }
        for node in living { node.settle() }
    }

    /// The database and all nodes lose power for so long, and start again.
    func cutPower(for span: Milliseconds) {
        for node in nodes { node.log.crash() }
        // Unlogged tables are lost.
        disk.log.failOver(to: InMemoryStorage(copying: disk.log))
        clock.pass(span)
        for node in nodes { restart(node, downtime: span) }
    }

    /// Another process, of a run that no node here knows, claims or releases the room.
    func claim(_ code: String, by run: String) {
        log(of: run).claim(.room(code), ticket: 0, answer: AppendAnswers())
    }

    func release(_ code: String, by run: String) {
        log(of: run).release(.room(code), owed: nil, at: nodes[0].now, ticket: 0, answer: AppendAnswers())
    }

    private func log(of run: String) -> InMemoryLog { InMemoryLog(storage: disk.log, run: run) }

    /// The run that has claimed the room; nil if none has.
    func claimant(of code: String) -> String? { disk.log.claims(since: -1)?.holders[.room(code)] }

    /// The types of the records in the stream `hub`, such as `node-lost`, in order.
    var recorded: [String] { disk.log.records(of: .hub).map(\.event.type) }
}
