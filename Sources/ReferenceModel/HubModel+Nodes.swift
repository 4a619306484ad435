// Several hubs that share the log.
extension HubModel {
    /// One of several hubs that share the log has been started; the others go on. `release`: what it lacks that others
    /// have.
    public func started(node: String, run: String, lacking release: NodeRelease = NodeRelease(), now: Int) {
        if context.nodes.names.isEmpty, let unservedSince {
            context.vacant.hindered(since: unservedSince, at: now)
        }
        if runningNodes.isEmpty {
            // What those before it said of the time, and of who is gone, nobody knows any more.
            context.began(at: now)
            for room in rooms.values { room.hubStarted(at: now) }
        }
        runningNodes[node] = run
        context.releases.started(run, lacking: release)
        context.nodeBegan(node)
        isServing = true
        context.hindered()
    }

    /// One of several has died: with these connections, and these requests, which are not answered any more.
    public func died(node: String, connections: [Int], requests: [Int]) {
        if let run = runningNodes[node] { stoppedSince[run] = stoppedSince[run] ?? context.now }
        (runningNodes[node], rejoining[node]) = (nil, nil)
        if runningNodes.isEmpty { unservedSince = unservedSince ?? context.now }
        noteReleases()
        context.clocks.forget(node)
        context.hindered()
        for number in connections { closed(number, code: nil) }
        for number in requests {
            forgetForms(of: number)
            nodesOfRequests[number] = nil
            context.accounts.abandoned(number)
            context.openings.abandoned(number)
        }
    }

    /// Which releases serve follows from who does.
    func noteReleases() {
        context.releases.serve(Array(context.nodes.runs.values) + Array(rejoining.values), at: context.now)
    }

    /// A link between two of several hubs was made.
    public func linksChanged() { context.hindered() }

    /// It was lost: who is connected to the one, in rooms of the other, is not there for those from then on.
    public func linkLost(between one: String, and other: String) {
        context.hindered()
        for (number, connection) in connections {
            guard let node = nodesOfConnections[number], node == one || node == other,
                let home = connection.room?.home, home == runningNodes[node == one ? other : one]
            else { continue }
            connection.outOfReachSince = connection.outOfReachSince ?? context.now
        }
    }

    /// What a record of the stream `hub` says of who serves, or which outage it is.
    func change(by json: JSON) -> (nodes: NodesModel.Change?, outage: Outage?) {
        guard let time = json["at"]?.number, let change = context.nodes.recorded(json, at: time) else {
            return (nil, Outage(json))
        }
        return (change, nil)
    }

    /// The clock of the database that several hubs share was set: nobody who was not there knows that no time passed.
    public func databaseClockSet(by span: Int) { context.databaseClockSteps += max(0, span) }

    /// This is sent from a node to another.
    public func crossesLink(_ message: [UInt8]) {
        guard let kind = context.secrets.find(in: message) else { return }
        context.findings.note("no secret crosses a link", kind)
    }

    // MARK: Homes

    /// One of several hubs does not reach the database that they share: its rooms cannot be played.
    public func lostDatabase(_ node: String) {
        guard let run = runningNodes[node] else { return }
        stoppedSince[run] = stoppedSince[run] ?? context.now
    }

    /// A run can play its rooms again, or those of one of its loops: from one time of its clock to another it could
    /// not.
    public func wasStopped(_ node: String, loop: (index: Int, count: Int)?, from: Int, to: Int) {
        guard let run = runningNodes[node] else { return }
        if loop == nil { stoppedSince[run] = nil }
        context.vacant.hindered(since: from, at: to)
        // What is lost after that depends on who waits.
        let end = min(to, lostAt[run] ?? to)
        for room in homes(of: run, on: loop) { room.wasStopped(from: from, to: end) }
    }

    /// A hub says so of one of its loops.
    public func couldNotPlay(_ node: String, loop: (index: Int, count: Int), from: Int, to: Int) {
        guard let run = runningNodes[node] else { return }
        for room in homes(of: run, on: loop) { room.leaveOut(from: from, to: to) }
    }

    private func homes(of run: String, on loop: (index: Int, count: Int)?) -> some Sequence<RoomModel> {
        rooms.values.lazy.filter { room in
            room.home == run && loop.map { room.hash % UInt64($0.count) == UInt64($0.index) } ?? true
        }
    }

    /// A run has claimed a room, or released it; or the database has gone back to who had it before.
    public func claimed(_ code: String, by run: String?) {
        guard let room = rooms[code] else { return }
        if run != nil, run != room.home {
            context.findings.expect(
                room.mayBeClaimed, "a room is claimed for who comes to it or for its deadline", "room \(code)")
        }
        // Where nobody has waited for it no more is lost than until the loss was recorded: how much that is nobody here
        // knows to the second.
        if run != nil, let before = room.home, before != run, let since = stoppedSince[before],
            let lostAt = lostAt[before], context.now - lostAt < Self.waiting, context.databaseClockSteps == 0
        {
            room.wasStopped(from: since, to: context.now)
        }
        room.isHome(run)
    }

    /// Who waits for a room to be claimed does so within this of the loss, in ms, less what clocks may be off.
    private static let waiting = 7_000

    /// Whether it is one of those that serve rooms, as the log has it.
    public func serves(_ node: String) -> Bool {
        guard context.isCluster, let run = runningNodes[node] else { return !context.isCluster }
        return context.nodes.runs[node] == run || rejoining[node] == run
    }

    /// Whether some node serves of which the log does not say so, or does not serve of which it does.
    public var areNodesUnsettled: Bool {
        context.nodes.names.contains { context.nodes.runs[$0] != runningNodes[$0] }
            || rejoining.contains { context.nodes.runs[$0.key] != $0.value }
    }

    /// Whether others have taken its place, and it may not know: one that has left ends what it has begun.
    func isLost(_ node: String) -> Bool {
        context.isCluster && context.nodes.lostRuns.contains(runningNodes[node] ?? "")
    }

    /// It serves no rooms any more, whether it knows that or not: nobody is there by it, and what it says is old.
    func lost(_ node: String) {
        rejoining[node] = nil
        for (number, _) in nodesOfConnections.filter({ $0.value == node }).sorted(by: { $0.key < $1.key }) {
            connections[number]?.lostNode()
            lobbies[number] = nil
        }
        for (number, _) in nodesOfRequests.filter({ $0.value == node }) { forgetForms(of: number) }
    }

    // MARK: The stream `hub`

    func recordedOfHub(_ json: JSON) {
        hubRecords.append(json)
        let (nodes, outage) = change(by: json)
        if let nodes {
            if json["type"] == "node-lost", let run = json["run"]?.text { lostAt[run] = context.now }
            // Of a node that joins again a run before may be known, which has gone twice.
            if let node = nodes.gone, rejoining[node] == nil || rejoining[node] == json["run"]?.text { lost(node) }
            if let time = nodes.beginsAt {
                if let unservedSince { context.vacant.hindered(since: min(unservedSince, time), at: time) }
                context.begins(at: time)
            }
            let isServed = context.nodes.names.contains { context.nodes.runs[$0] == runningNodes[$0] }
            unservedSince = isServed ? nil : unservedSince ?? context.now
            context.vacant.moved(at: context.now)
            noteReleases()
        } else if let outage {
            // A loop that stood still, or could not write, knows of itself alone; what a node's has lost is in no
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

    /// A second passes ahead of each renewal of a lease, in ms; and clocks differ.
    private static let silenceSlack = 4_000
    /// Of a database that has failed over the last renewals may be lost, in ms.
    private static let lostRenewals = 30_000

    private func leaveOut(_ outage: Outage) {
        context.outages.append(outage)
        // Homes that were there know it already.
        guard !context.isCluster else { return }
        for room in rooms.values where outage.concerns(room.hash) { room.leaveOut(from: outage.from, to: outage.to) }
    }
}
