import JSON

// Several hubs that share a log.
extension HubModel {
    /// One of several hubs has started. `release` is what it lacks that others have.
    public func nodeStarted(node: String, run: String, lacking release: NodeRelease = NodeRelease(), now: Int) {
        if context.nodes.names.isEmpty, let unservedSince {
            context.vacant.hubHindered(since: unservedSince, at: now)
        }
        if runningNodes.isEmpty {
            // What earlier hubs said of the time and of absences is unknown now.
            context.hubStarted(at: now)
            for room in rooms.values { room.hubStarted(at: now) }
        }
        runningNodes[node] = run
        context.releases.runStarted(run, lacking: release)
        context.nodeBegan(node)
        isServing = true
        context.hubHindered()
    }

    /// One of several hubs has died, with these connections and these requests, which will not be answered.
    public func nodeDied(node: String, connections: [Int], requests: [Int]) {
        if let run = runningNodes[node] { stoppedSince[run] = stoppedSince[run] ?? context.now }
        (runningNodes[node], rejoining[node]) = (nil, nil)
        if runningNodes.isEmpty { unservedSince = unservedSince ?? context.now }
        noteReleases()
        context.clocks.forget(node)
        context.hubHindered()
        for number in connections { connectionClosed(number, code: nil) }
        for number in requests {
            forgetQuestions(of: number)
            nodesOfRequests[number] = nil
            context.accounts.requestAbandoned(number)
            context.openings.requestAbandoned(number)
        }
    }

    /// The serving releases follow from the serving nodes.
    func noteReleases() {
        context.releases.serve(Array(context.nodes.runs.values) + Array(rejoining.values), at: context.now)
    }

    /// A link was lost. From now on, players connected to one hub are absent in rooms of the other.
    public func linkLost(between one: String, and other: String) {
        context.hubHindered()
        for (number, connection) in connections {
            guard let node = nodesOfConnections[number], node == one || node == other,
                let home = connection.room?.home, home == runningNodes[node == one ? other : one]
            else { continue }
            connection.outOfReachSince = connection.outOfReachSince ?? context.now
        }
    }

    /// The change of nodes, or the outage, that a record of the stream `hub` describes.
    func change(by json: Value) -> (nodes: NodesModel.Change?, outage: Outage?) {
        guard let time = json["at"]?.integer, let change = context.nodes.eventRecorded(json, at: time) else {
            return (nil, Outage(json))
        }
        return (change, nil)
    }

    /// The clock of the shared database was set. A hub that was not running cannot know that no time passed.
    public func databaseClockSet(by span: Int) { context.databaseClockSteps += max(0, span) }

    /// A node sends this to another.
    public func crossesLink(_ message: [UInt8]) {
        guard let kind = context.secrets.find(in: message) else { return }
        context.findings.recordBreach("no secret crosses a link", kind)
    }

    // MARK: Homes

    /// A hub does not reach the shared database, so its rooms cannot be played.
    public func lostDatabase(_ node: String) {
        guard let run = runningNodes[node] else { return }
        stoppedSince[run] = stoppedSince[run] ?? context.now
    }

    /// A run can play its rooms, or those of one loop, again after the time between `from` and `to` by its clock.
    public func wasStopped(_ node: String, loop: (index: Int, count: Int)?, from: Int, to: Int) {
        guard let run = runningNodes[node] else { return }
        if loop == nil { stoppedSince[run] = nil }
        context.vacant.hubHindered(since: from, at: to)
        // What is lost after that depends on which clients wait.
        let end = min(to, lostAt[run] ?? to)
        for room in homes(of: run, on: loop) { room.wasStopped(from: from, to: end) }
    }

    /// A hub reports this of one of its loops.
    public func couldNotPlay(_ node: String, loop: (index: Int, count: Int), from: Int, to: Int) {
        guard let run = runningNodes[node] else { return }
        for room in homes(of: run, on: loop) { room.leaveOut(from: from, to: to) }
    }

    private func homes(of run: String, on loop: (index: Int, count: Int)?) -> some Sequence<RoomModel> {
        rooms.values.lazy.filter { room in
            room.home == run && loop.map { room.hash % UInt64($0.count) == UInt64($0.index) } ?? true
        }
    }

    /// A run has claimed or released a room, or the database has gone back to an earlier holder.
    public func roomClaimed(_ code: String, by run: String?) {
        guard let room = rooms[code] else { return }
        if run != nil, run != room.home {
            context.findings.expect(
                RoomCheck(room: room).mayBeClaimed, "a room is claimed for a client or its deadline", "room \(code)")
        }
        // If no client has waited for the room, no more is lost than until the loss was recorded, which the model does
        // not know to the second.
        if run != nil, let before = room.home, before != run, let since = stoppedSince[before],
            let lostAt = lostAt[before], context.now - lostAt < Self.waiting, context.databaseClockSteps == 0
        {
            room.wasStopped(from: since, to: context.now)
        }
        let node = runningNodes.first { $0.value == run }?.key
        room.isHome(run, at: node.flatMap { context.clocks.time(of: $0, at: context.uptime) })
    }

    /// A client waits for a claim within this time after the loss, in ms, less the clocks' differences.
    private static let waiting = 7_000

    /// Whether the log says that this node serves rooms.
    public func serves(_ node: String) -> Bool {
        guard context.isCluster, let run = runningNodes[node] else { return !context.isCluster }
        return context.nodes.runs[node] == run || rejoining[node] == run
    }

    /// Whether the log and the running nodes disagree about which nodes serve.
    public var areNodesUnsettled: Bool {
        context.nodes.names.contains { context.nodes.runs[$0] != runningNodes[$0] }
            || rejoining.contains { context.nodes.runs[$0.key] != $0.value }
    }

    /// Whether other nodes have replaced it, perhaps without its knowledge. A node that has left finishes what it has
    /// begun.
    func isLost(_ node: String) -> Bool {
        context.isCluster && context.nodes.lostRuns.contains(runningNodes[node] ?? "")
    }

    /// The node serves no rooms now, whether it knows that or not. No one is present through it, and what it says is
    /// old.
    func nodeLost(_ node: String) {
        rejoining[node] = nil
        for (number, _) in nodesOfConnections.filter({ $0.value == node }).sorted(by: { $0.key < $1.key }) {
            connections[number]?.lostNode()
            lobbies[number] = nil
        }
        for (number, _) in nodesOfRequests.filter({ $0.value == node }) { forgetQuestions(of: number) }
    }

    // MARK: The stream `hub`

    func recordedOfHub(_ json: Value) {
        hubRecords.append(json)
        let (nodes, outage) = change(by: json)
        if let nodes {
            // When that was found. To record it may take a slow log longer.
            if json["type"] == "node-lost", let run = json["run"]?.string { lostAt[run] = json["at"]?.integer }
            // If a node joins again, its earlier run may be known, which then ends twice.
            if let node = nodes.gone, [nil, json["run"]?.string].contains(rejoining[node]) { nodeLost(node) }
            if let time = nodes.beginsAt {
                if let unservedSince { context.vacant.hubHindered(since: min(unservedSince, time), at: time) }
                context.begins(at: time)
            }
            let isServed = context.nodes.names.contains { context.nodes.runs[$0] == runningNodes[$0] }
            unservedSince = isServed ? nil : unservedSince ?? context.now
            context.vacant.roomMoved(at: context.now)
            noteReleases()
        } else if let outage {
            // A loop that was blocked or could not write knows only of itself. What a node's loop has lost is in no
            // record.
            let isTrue =
                outage.isSilence
                ? outage.to - outage.from
                    <= context.vacant.between(outage.from, outage.to) + context.databaseClockSteps + Self.silenceSlack
                    + (context.mayKnowLost ? Self.lostRenewals : 0)
                : (outage.loop != nil) != context.isCluster || !isServing
            context.findings.expect(
                isTrue, "a room that could be played has no outage", "from \(outage.from) to \(outage.to)")
            leaveOut(outage)
        }
    }

    /// In ms: a second passes before each lease renewal, and clocks differ.
    private static let silenceSlack = 4_000
    /// A database that has failed over may have lost this much of the last renewals, in ms.
    private static let lostRenewals = 30_000

    private func leaveOut(_ outage: Outage) {
        context.outages.append(outage)
        // Homes that were running know it already.
        guard !context.isCluster else { return }
        for room in rooms.values where outage.concerns(room.hash) { room.leaveOut(from: outage.from, to: outage.to) }
    }
}
