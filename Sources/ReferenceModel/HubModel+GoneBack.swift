/// A stream that has gone back with the database.
public struct LostEnd: Sendable {
    /// `room/k3m7pq`, `hub`, `account/…`.
    public let stream: String
    /// Of the last record that is left; 0: none.
    public let version: Int

    public init(stream: String, version: Int) { (self.stream, self.version) = (stream, version) }
}

// A database that has failed over, and lost what was written last.
extension HubModel {
    /// It holds no more of these streams, nor of the rows that lists are made from, than it did some time ago; what was
    /// erased since is there again. Nobody who serves has read it yet.
    public func wentBack(_ lost: [LostEnd]) {
        guard broken == nil else { return }
        context.wentBack()
        for end in lost {
            if end.stream.hasPrefix("room/") {
                let code = String(end.stream.dropFirst(5))
                rooms[code]?.goBack(to: end.version)
                context.results.goBack(room: code, to: end.version, at: context.now)
            } else if end.stream.hasPrefix("account/") {
                context.accounts.goBack(String(end.stream.dropFirst(8)))
            } else if end.stream == "hub" {
                hubWentBack(to: end.version)
            }
        }
        context.accounts.wentBack()
        for number in lobbies.keys.sorted() { lobbies[number]?.wentBack() }
        // Homes begin anew.
        context.vacant.moved(at: context.now)
    }

    /// Who serves, and what did not count, is what is left of it.
    private func hubWentBack(to version: Int) {
        let nodes = context.nodes
        hubRecords.removeLast(max(0, hubRecords.count - version))
        (context.nodes, context.outages) = (NodesModel(), [])
        for json in hubRecords {
            if let outage = change(by: json).outage { context.outages.append(outage) }
        }
        for (name, run) in runningNodes where context.nodes.runs[name] != run {
            // One that was taken for lost, and has not heard of it, goes on where the log says neither any more.
            let mayGoOn = nodes.lostRuns.contains(run) && !context.nodes.lostRuns.contains(run)
            if nodes.runs[name] == run || mayGoOn { rejoining[name] = run }
        }
        noteReleases()
    }
}
