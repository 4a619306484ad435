import Records

/// The run that has claimed each stream. A database stores this with the stream's version and head.
struct InMemoryClaims: Sendable {
    private struct Row: Sendable {
        var home: String?
        var since: Int?
        var vacant: Int?
    }

    private var rows: [StreamName: Row] = [:]
    /// How many claims and releases have changed something.
    var changes = 0

    var holders: [StreamName: String] { rows.compactMapValues(\.home) }

    /// Whether this run, or a log without one, may append to the stream.
    func allows(_ run: String?, in stream: StreamName) -> Bool {
        guard let home = rows[stream]?.home else { return true }
        return home == run
    }

    /// The run gets the stream if no run holds it, or the run itself, or a fenced run.
    mutating func claim(_ stream: StreamName, by run: String, endingAt end: StreamEnd, _ leases: InMemoryLeases)
        -> Claim
    {
        guard end.version > 0 else { return Claim(stream: stream, holder: nil, end: end) }
        var row = rows[stream] ?? Row()
        if let home = row.home, home != run {
            guard let fence = leases.fence(of: home) else { return Claim(stream: stream, holder: home, end: end) }
            if let settled = fence.settled, let vacant = row.vacant, settled > vacant + Claim.waiting {
                row.since = settled - max(0, vacant - (row.since ?? vacant))
            } else {
                row.since = [row.since, fence.settled].compactMap(\.self).min()
            }
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

    /// Its holder has judged it, so nothing is owed.
    mutating func appended(to stream: StreamName) { rows[stream]?.since = nil }
}
