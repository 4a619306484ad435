import Games
import Records
import RoomRules

// After a failover the stream `hub` may hold less than this node has read.
extension NodeKeeper {
    /// The stream now has these records. If this node has not joined by them, it joins again and keeps its rooms.
    /// Connections that it relays reconnect. Unconfirmed records are written again.
    public func streamHasGoneBack(to records: [Record]) {
        writer.streamHasGoneBack(to: records)
        hubEnd = records.last?.end ?? StreamName.hub.start
        silences.streamHasGoneBack()
        let changes = records.compactMap { NodeRecord($0) }
        let before = gone
        for change in changes { noteGone(by: change) }
        // The record that it has gone is lost, but it is still gone. No one needs to wait for its lease to end.
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
            surroundings.loggers.write(.nodeJoinsAgain, ["node": "\(node.node.text)", "run": "\(node.run)"])
            stage = .outside
            renew()
        case .leaving: if !roll.has(run: node.run) { nodeEnded() }
        }
    }

    /// Records that a run has gone.
    func noteGone(by change: NodeRecord) {
        switch change {
        case .joined: return
        case .left(let run, let settled, _): noteGone(run, settled)
        case .lost(let run, let settled, _, _):
            if let loss = losing.removeValue(forKey: run) {
                surroundings.loggers.write(.otherNodeLost, ["node": "\(loss.node.text)", "run": "\(run)"])
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

    /// Whether a record would declare a run lost that is already gone.
    func isWrong(_ entry: any HubStreamEntry) -> Bool {
        guard case .lost(let run, _, _, _)? = entry as? NodeRecord else { return false }
        guard !roll.has(run: run), !strays.contains(where: { $0.run == run }) else { return false }
        losing[run] = nil
        return true
    }

    /// More than can leave within the seconds that a failover may lose.
    private static let goneLimit = 64

    /// Fences the run if it does not renew its lease. Otherwise no node could claim its rooms.
    func watch(_ run: String) {
        strays.removeAll { roll.has(run: $0.run) }
        guard strays.count < Self.strayLimit, !strays.contains(where: { $0.run == run }) else { return }
        strays.append(NodeRun(node: NodeName("unknown"), run: run, address: ""))
    }

    /// More than can be lost within those seconds.
    private static let strayLimit = 64
}
