import JSON

/// How far the clocks of several hubs differed recently. They ask a database for the time, and a late answer is less
/// exact.
struct NodeClocks {
    /// How long a difference matters, in ms: longer than anything that follows from a time that a hub told.
    private static let memory = 180_000

    /// How far each is ahead of a clock that no one sets.
    private var leads: [String: Int] = [:]
    /// The recent maximum in ms, and when it last occurred.
    private(set) var spread = 0
    private var spreadAt = 0

    mutating func forget(_ node: String) { leads[node] = nil }

    /// What its clock shows at this moment of one that no one sets; nil if it is not known.
    func time(of node: String, at uptime: Int) -> Int? { leads[node].map { uptime + $0 } }

    mutating func recordLead(_ lead: Int, at uptime: Int, of node: String) {
        guard leads[node] != lead else { return }
        leads[node] = lead
        let now = (leads.values.max() ?? lead) - (leads.values.min() ?? lead)
        guard now >= spread || uptime - spreadAt > Self.memory else { return }
        (spread, spreadAt) = (now, uptime)
    }
}

/// Which of several hubs serve rooms, according to the stream `hub`.
struct NodesModel {
    /// By name, the run of each.
    private(set) var runs: [String: String] = [:]
    private(set) var lostRuns: Set<String> = []

    /// What a record of the stream has changed: `gone` has stopped serving.
    struct Change {
        var gone: String?
        /// For the first hub that starts serving: it knows only what its clock says.
        var beginsAt: Int?
    }

    /// Nil for other records.
    mutating func eventRecorded(_ json: Value, at time: Int) -> Change? {
        guard let run = json["run"]?.string else { return nil }
        switch json["type"]?.string {
        case "node-joined":
            guard let name = json["node"]?.string, runs[name] == nil else { return Change() }
            defer { runs[name] = run }
            return Change(beginsAt: runs.isEmpty ? time : nil)
        case "node-left", "node-lost":
            guard let name = runs.first(where: { $0.value == run })?.key else { return Change() }
            if json["settled"] != nil { lostRuns.insert(run) }
            runs[name] = nil
            return Change(gone: name)
        default: return nil
        }
    }

    var names: [String] { runs.keys.sorted() }
}
