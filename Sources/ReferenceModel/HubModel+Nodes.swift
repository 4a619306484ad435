// Several hubs that share the log.
extension HubModel {
    /// One of several hubs that share the log has been started; the others go on. `release`: what it lacks that others
    /// have.
    public func started(node: String, run: String, lacking release: NodeRelease = NodeRelease(), now: Int) {
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
        (runningNodes[node], rejoining[node]) = (nil, nil)
        nobodyRecords(node)
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

    /// A link between two of several hubs was made or lost.
    public func linksChanged() { context.hindered() }

    /// What a record of the stream `hub` says of who serves, and which outage it is.
    func change(by json: JSON) -> (nodes: NodesModel.Change?, outage: Outage?) {
        guard let time = json["at"]?.number, let change = context.nodes.recorded(json, at: time) else {
            return (nil, Outage(json, among: context.nodes.names))
        }
        return (change, change.outage)
    }

    /// One of several hubs does not reach the database that they share: that its rooms cannot be played it records once
    /// it does.
    public func lostDatabase(_ node: String) { stoppedSince[node] = stoppedSince[node] ?? context.now }

    /// Since when its rooms could not be played nobody says any more: others may know, by what was asked of it.
    private func nobodyRecords(_ node: String) {
        if let since = stoppedSince.removeValue(forKey: node) { context.vacant.missed(since: since, at: context.now) }
    }

    /// A node says which nodes served when its rooms could not be played.
    func checkNodes(of outage: Outage) {
        guard let node = outage.node else { return }
        stoppedSince[node.name] = nil
        let isOwn = context.nodes.runs[node.name] == runningNodes[node.name]
        let isTrue =
            node.all.isEmpty
            ? !isOwn || (joinedAt[node.name] ?? context.now) > outage.from - Self.servedSlack
            : served.contains { $0.names == node.all && $0.until >= outage.from - Self.servedSlack }
        context.findings.expect(
            isTrue, "an outage is that of the rooms that its node had",
            "\(node.name) among \(node.all), from \(outage.from) to \(outage.to)")
    }

    /// What is known of the nodes may change: these serve until now.
    func noteServed() {
        if served.last?.names == context.nodes.names { served.removeLast() }
        served.append((context.nodes.names, context.now))
        if served.count > Self.servedLimit { served.removeFirst() }
    }

    /// More changes than come while a node stands still.
    private static let servedLimit = 64
    /// What a node knows of those that serve may be so old, in ms: it has stood still, or is late with its database.
    private static let servedSlack = 120_000

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
        nobodyRecords(node)
        for (number, _) in nodesOfConnections.filter({ $0.value == node }).sorted(by: { $0.key < $1.key }) {
            connections[number]?.lostNode()
            lobbies[number] = nil
        }
        for (number, _) in nodesOfRequests.filter({ $0.value == node }) { forgetForms(of: number) }
    }
}
