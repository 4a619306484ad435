import EventStore
import Games
import Logging

// How a node joins those that serve, and how it leaves.
extension NodeKeeper {
    func join() {
        guard losing.isEmpty else { return }
        if let reason = obstacle { return wait(because: reason) }
        if let other = roll.runs.first(where: { peers.time(of: $0) == nil }) {
            return wait(because: "it is not clear yet whether \(other.node.text) is there")
        }
        if let other = others.first(where: { !peers.isLinked(to: $0) }) {
            return wait(because: "it is not linked to \(other.node.text) yet")
        }
        stage = .joining
        writer.add(NodeRecord.joined(node, at: surroundings.now))
    }

    /// Holds this node's time against the others'. False where they differ: then it leaves.
    func checkTime() -> Bool {
        guard roll.runs.first?.run != node.run, let theirs = peers.time(by: others) else { return true }
        return checkTime(against: theirs, "this node's time differs from the others': restart it")
    }

    func checkTime(against theirs: Milliseconds, _ complaint: Logger.Message) -> Bool {
        let lead = surroundings.now - theirs
        guard abs(lead) > LeaseWatch.gap else { return true }
        surroundings.loggers.hub.error(complaint, metadata: ["ahead": "\(lead) ms"])
        leave()
        return false
    }

    private func wait(because reason: String) {
        guard reason != toldObstacle else { return }
        toldObstacle = reason
        surroundings.loggers.hub.warning(
            "this node waits: it serves no rooms yet", metadata: ["reason": "\(reason)"])
    }

    /// Why it cannot join now; nil if it can.
    private var obstacle: String? {
        if let other = roll[node.node] {
            // Or has died so lately that nobody knows yet.
            return "another run (\(other.run)) of \(node.node.text) is there"
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

    /// Up to when rooms are owed no time that is not in their logs.
    var settled: Milliseconds { max(lastPlayed(), joinedAt) }

    func joined(at time: Milliseconds) {
        stage = .joined
        // Of one that joins again rooms may be owed time.
        if joinedAt == 0 { joinedAt = surroundings.now }
        if leavesOnceInside { return leave() }
        // What it says of the time is so late that others may have gone on since.
        guard checkTime(against: time, "this node took too long to join: restart it") else { return }
        // Another may have joined in between, by another time. And nobody may have served for a while.
        saysItServes = false
        renewAgain()
    }

    /// Once a renewal as of a node that serves has shown which time it is, and when nobody served.
    func serveIfMay() {
        guard saysItServes, silences.areAllIn(surroundings.history.outages), let first = roll.runs.first,
            first.run == node.run || peers.time(of: first) != nil
        else { return }
        stage = .inside
        surroundings.loggers.hub.notice(
            "this node serves rooms", metadata: ["node": "\(node.node.text)", "run": "\(node.run)"])
        for shard in 0..<shards.count { shards.post(.serves, to: shard) }
        host?.nodeJoined()
    }

    /// Gives up what this node serves, and has it end.
    func leave() {
        // What is under way may be there already: others would wait for it.
        if stage == .joining { return leavesOnceInside = true }
        if stage == .leaving { return }
        // One that is to join again has rooms.
        guard stage != .ended, joinedAt > 0 else { return end() }
        stage = .leaving
        host?.nodeLeaves()
        loopsLeaving = shards.count
        for shard in 0..<shards.count { shards.post(.leaves, to: shard) }
    }

    /// A loop has given up all of its rooms.
    func loopHasLeft() {
        loopsLeaving -= 1
        guard loopsLeaving == 0 else { return }
        writer.add(NodeRecord.left(run: node.run, settled: settled, at: surroundings.now))
    }

    /// It serves nothing from now on, and says nothing.
    func end() {
        guard stage != .ended else { return }
        if stage != .leaving, stage != .outside {
            surroundings.loggers.hub.error(
                "other nodes have declared this one lost: it no longer serves anything",
                metadata: ["node": "\(node.node.text)", "run": "\(node.run)"])
        }
        stage = .ended
        host?.nodeEnded()
    }
}
