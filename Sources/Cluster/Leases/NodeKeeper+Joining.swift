import Games
import RoomRules
import Rooms

// How a node joins and leaves.
extension NodeKeeper {
    func join() {
        guard losing.isEmpty else { return }
        if let reason = obstacle { return wait(because: reason) }
        if let other = roll.runs.first(where: { peers.time(of: $0) == nil }) {
            return wait(because: "it is not clear yet whether \(other.node.text) is running")
        }
        if let other = others.first(where: { !peers.links.isLinked(to: $0) }) {
            return wait(because: "it is not linked to \(other.node.text) yet")
        }
        stage = .joining
        writer.add(NodeRecord.joined(node, at: surroundings.now))
    }

    /// Compares this node's time with the others'. If they differ, the node leaves, and this returns false.
    func checkTime() -> Bool {
        guard roll.runs.first?.run != node.run, let theirs = peers.time(by: others) else { return true }
        return checkTime(against: theirs, .nodeTimeDiffers)
    }

    func checkTime(against theirs: Milliseconds, _ complaint: LogLine) -> Bool {
        let lead = surroundings.now - theirs
        guard abs(lead) > LeaseWatch.gap else { return true }
        surroundings.loggers.write(complaint, ["ahead": "\(lead) ms"])
        leave()
        return false
    }

    private func wait(because reason: String) {
        guard reason != toldObstacle else { return }
        toldObstacle = reason
        surroundings.loggers.write(.nodeWaits, ["reason": "\(reason)"])
    }

    /// Why it cannot join now; nil if it can.
    private var obstacle: String? {
        if let other = roll[node.node] {
            // Or it has died, which no one knows yet.
            return "another run (\(other.run)) of \(node.node.text) is running"
        }
        if node.address.isEmpty, let other = roll.runs.first {
            return "\(other.node.text) serves rooms, and this one has no links: it needs --node-listen, --node-url and "
                + "--cluster-key"
        }
        if let other = roll.runs.first(where: \.address.isEmpty) {
            return "\(other.node.text) serves rooms without links to others"
        }
        return nil
    }

    /// Until when all lost time is in the logs of this node's rooms.
    var settled: Milliseconds { max(lastPlayed(), joinedAt) }

    func joined(at time: Milliseconds) {
        stage = .joined
        // Rooms of a node that joins again may be owed earlier time.
        if joinedAt == 0 { joinedAt = surroundings.now }
        if leavesOnceInside { return leave() }
        // The record's time may be so old that the others' differs from it.
        guard checkTime(against: time, .nodeJoinedTooLate) else { return }
        // Another node with another time may have joined in between, and there may have been a silence.
        saysItServes = false
        renewAgain()
    }

    /// Serves once a renewal has shown the time and all silences.
    func serveIfMay() {
        guard saysItServes, silences.areAllIn(surroundings.history.outages), let first = roll.runs.first,
            first.run == node.run || peers.time(of: first) != nil
        else { return }
        stage = .inside
        surroundings.loggers.write(.nodeServes, ["node": "\(node.node.text)", "run": "\(node.run)"])
        loops.postToAll(.serves)
        host?.nodeServes(true)
    }

    /// Gives up this node's rooms, then ends it.
    public func leave() {
        // The record of joining may be written already, and others would wait for this node.
        if stage == .joining { return leavesOnceInside = true }
        if stage == .leaving { return }
        // A node that has to join again still has rooms.
        guard stage != .ended, joinedAt > 0 else { return nodeEnded() }
        stage = .leaving
        host?.nodeServes(false)
        loopsLeaving = loops.count
        loops.postToAll(.leaves)
    }

    /// A loop has given up all of its rooms.
    func loopHasLeft() {
        loopsLeaving -= 1
        guard loopsLeaving == 0 else { return }
        writer.add(NodeRecord.left(run: node.run, settled: settled, at: surroundings.now))
    }

    /// Ends this node: from now on it serves nothing and writes nothing.
    public func nodeEnded() {
        guard stage != .ended else { return }
        if stage != .leaving, stage != .outside {
            surroundings.loggers.write(.nodeDeclaredLost, ["node": "\(node.node.text)", "run": "\(node.run)"])
        }
        stage = .ended
        host?.nodeEnded()
    }
}
