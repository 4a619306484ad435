/// A stream that has gone back with the database.
public struct LostEnd: Sendable {
    /// `room/k3m7pq`, `hub`, `account/…`.
    public let stream: String
    /// The last remaining record; 0 if there is none.
    public let version: Int

    public init(stream: String, version: Int) { (self.stream, self.version) = (stream, version) }
}

// A database has failed over and lost its newest records.
extension HubModel {
    /// These streams, and the rows of lists, are as they were some time ago, and what was erased since exists again. No
    /// serving hub has read that yet.
    public func logWentBack(_ lost: [LostEnd]) {
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
        // Rooms get new homes.
        context.vacant.roomMoved(at: context.now)
    }

    /// Which nodes serve, and which outages count, follows from what is left of the stream.
    private func hubWentBack(to version: Int) {
        let nodes = context.nodes
        hubRecords.removeLast(max(0, hubRecords.count - version))
        (context.nodes, context.outages) = (NodesModel(), [])
        for json in hubRecords {
            if let outage = change(by: json).outage { context.outages.append(outage) }
        }
        for (name, run) in runningNodes where context.nodes.runs[name] != run {
            // A node that was declared lost and does not know it continues if the log no longer says so.
            let continues = nodes.lostRuns.contains(run) && !context.nodes.lostRuns.contains(run)
            if nodes.runs[name] == run || continues { rejoining[name] = run }
        }
        noteReleases()
    }
}
