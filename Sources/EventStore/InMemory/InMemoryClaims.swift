import Records

/// Which run has claimed which stream, as a database has it beside the stream's version and head.
struct InMemoryClaims: Sendable {
    private struct Row: Sendable {
        var home: String?
        var since: Int?
        var vacant: Int?
    }

    private var rows: [StreamName: Row] = [:]
    /// How often anybody has claimed or released anything.
    var changes = 0

    /// Who has claimed what.
    var holders: [StreamName: String] { rows.compactMapValues(\.home) }

    /// Whether a run, or a log of none, may append to it.
    func allows(_ run: String?, in stream: StreamName) -> Bool {
        guard let home = rows[stream]?.home else { return true }
        return home == run
    }

    /// What is nobody's, the run's own, or a fenced run's is the run's from then on.
    mutating func claim(_ stream: StreamName, by run: String, endingAt end: StreamEnd, _ leases: InMemoryLeases)
        -> Claim
    {
        guard end.version > 0 else { return Claim(stream: stream, holder: nil, end: end) }
        var row = rows[stream] ?? Row()
        if let home = row.home, home != run {
            guard let fence = leases.fence(of: home) else { return Claim(stream: stream, holder: home, end: end) }
            row.since = [row.since, fence.settled].compactMap(\.self).min()
            row.vacant = fence.time
        }
        if row.home != run { changes += 1 }
        row.home = run
        rows[stream] = row
        return Claim(stream: stream, holder: run, since: row.since, vacant: row.vacant, end: end)
    }

    mutating func release(_ stream: StreamName, by run: String, owed: Int?, at time: Int) {
        guard let row = rows[stream], row.home == run else { return }
        changes += 1
        rows[stream] = owed.map { Row(home: nil, since: $0, vacant: time) }
    }

    /// Its holder has judged it.
    mutating func appended(to stream: StreamName) { rows[stream]?.since = nil }
}
