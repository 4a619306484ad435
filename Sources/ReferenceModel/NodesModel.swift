/// By how much the clocks of several hubs differed lately: they ask a database what time it is, and one that is late
/// tells them less exactly.
struct NodeClocks {
    /// For so long it matters, in ms: longer than what happens behind a time that one of them said.
    private static let memory = 180_000

    /// By how much each is ahead of a clock that nobody sets.
    private var leads: [String: Int] = [:]
    /// The most of late, in ms, and when that was last.
    private(set) var spread = 0
    private var spreadAt = 0

    mutating func forget(_ node: String) { leads[node] = nil }

    mutating func note(_ lead: Int, at uptime: Int, of node: String) {
        guard leads[node] != lead else { return }
        leads[node] = lead
        let now = (leads.values.max() ?? lead) - (leads.values.min() ?? lead)
        guard now >= spread || uptime - spreadAt > Self.memory else { return }
        (spread, spreadAt) = (now, uptime)
    }
}

/// Which of several hubs that share a log serve rooms, as its stream `hub` says.
struct NodesModel {
    /// By their names, with the run of each.
    private(set) var runs: [String: String] = [:]
    private(set) var lostRuns: Set<String> = []

    /// What a record of the stream has changed: `gone` serves no more.
    struct Change {
        var isOne = true
        var gone: String?
        /// Of the one that begins to serve where none did: others know nothing of what its clock does not say.
        var beginsAt: Int?
    }

    /// Nil for records of anything else.
    mutating func recorded(_ json: JSON, at time: Int) -> Change? {
        guard let run = json["run"]?.text else { return nil }
        switch json["type"]?.text {
        case "node-joined":
            guard let name = json["node"]?.text, runs[name] == nil else { return Change(isOne: false) }
            defer { runs[name] = run }
            return Change(beginsAt: runs.isEmpty ? time : nil)
        case "node-left", "node-lost":
            guard let name = runs.first(where: { $0.value == run })?.key else { return Change(isOne: false) }
            if json["settled"] != nil { lostRuns.insert(run) }
            runs[name] = nil
            return Change(gone: name)
        default: return nil
        }
    }

    var names: [String] { runs.keys.sorted() }
}
