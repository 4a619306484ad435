import EventStore
import Games
import Records

// After a failover the stream `hub` may hold less than this node has read.
extension NodeKeeper {
    /// These are its records now. If they do not say that this node has joined it joins again, and keeps its rooms. The
    /// connections that it relays reconnect. Records that were on their way are written again.
    func streamHasGoneBack(to records: [Record]) {
        writer.streamHasGoneBack(to: records)
        hubEnd = records.last?.end ?? StreamName.hub.start
        silences.streamHasGoneBack()
        let changes = records.compactMap { NodeRecord($0) }
        let before = gone
        for change in changes { noteGone(by: change) }
        // The record that it has gone is lost, but it is still gone. No one waits for its lease to run out.
        for run in roll.runs {
            guard let loss = before.first(where: { $0.run == run.run }) else { continue }
            lose(run, settled: loss.settled ?? surroundings.now)
        }
        link()
        switch stage {
        case .outside, .ended: break
        case .joining:
            for case .joined(node, let time) in changes where roll.has(run: node.run) { joined(at: time) }
        case .joined, .inside:
            guard !roll.has(run: node.run) else { return }
            surroundings.loggers.hub.warning(
                "the log has lost that this node had joined: it joins again",
                metadata: ["node": "\(node.node.text)", "run": "\(node.run)"])
            stage = .outside
            renew()
        case .leaving: if !roll.has(run: node.run) { end() }
        }
    }

    /// Notes a run that has gone, by its record.
    func noteGone(by change: NodeRecord) {
        switch change {
        case .joined: return
        case .left(let run, let settled, _): noteGone(run, settled)
        case .lost(let run, let settled, _, _):
            if let loss = losing.removeValue(forKey: run) {
                surroundings.loggers.hub.error(
                    "a node is lost: others serve its rooms", metadata: ["node": "\(loss.node.text)", "run": "\(run)"])
            }
            noteGone(run, settled)
        }
        // The next home of each room counts its members.
        presence.forget { [roll] in !roll.has(run: $0) }
    }

    private func noteGone(_ run: String, _ settled: Milliseconds?) {
        strays.removeAll { $0.run == run }
        losing[run] = nil
        guard !gone.contains(where: { $0.run == run }) else { return }
        gone.append((run, settled))
        if gone.count > Self.goneLimit { gone.removeFirst() }
    }

    /// Whether a record would call a run lost that has gone already.
    func isWrong(_ entry: any HubStreamEntry) -> Bool {
        guard case .lost(let run, _, _, _)? = entry as? NodeRecord else { return false }
        guard !roll.has(run: run), !strays.contains(where: { $0.run == run }) else { return false }
        losing[run] = nil
        return true
    }

    /// More than can leave within the seconds that a failover may lose.
    private static let goneLimit = 64

    /// Has the run fenced if it does not renew its lease. Otherwise no node could claim its rooms.
    func watch(_ run: String) {
        strays.removeAll { roll.has(run: $0.run) }
        guard strays.count < Self.strayLimit, !strays.contains(where: { $0.run == run }) else { return }
        strays.append(NodeRun(node: NodeName("unknown"), run: run, address: ""))
    }

    /// More than can be lost within those seconds.
    private static let strayLimit = 64
}
