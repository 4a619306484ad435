import EventStore
import Games

@testable import Hub

// What befalls a cluster whose nodes have keepers.
extension ScriptedCluster {
    /// No node can reach the database, or all can again.
    func setDatabase(away: Bool) {
        disk.isAway = away
        for node in living { if away { node.log.disconnect() } else { node.log.reconnect() } }
        for node in living { node.settle() }
    }

    /// The database and all nodes have no power for so long, and start again.
    func cutPower(for span: Milliseconds) {
        for node in nodes { node.log.crash() }
        // What is not logged is gone.
        disk.log.failOver(to: InMemoryStorage(copying: disk.log))
        clock.pass(span)
        for node in nodes { restart(node, downtime: span) }
    }

    /// Another process, of a run that no node here knows of, claims the room or releases it.
    func claim(_ code: String, by run: String) {
        log(of: run).claim(.room(code), ticket: 0, answer: AppendAnswers())
    }

    func release(_ code: String, by run: String) {
        log(of: run).release(.room(code), owed: nil, at: nodes[0].now, ticket: 0, answer: AppendAnswers())
    }

    private func log(of run: String) -> InMemoryLog { InMemoryLog(storage: disk.log, run: run) }

    /// The run that has claimed the room; nil: none has.
    func claimant(of code: String) -> String? { disk.log.claims(since: -1)?.holders[.room(code)] }

    /// The runs of nodes that have been recorded in the stream `hub`, as `node-lost`, in order.
    var recorded: [String] { disk.log.records(of: .hub).map(\.event.type) }
}
