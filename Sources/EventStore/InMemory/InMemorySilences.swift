import Records

/// When a run that serves renewed its lease last, and the silences that nobody has seen in the log yet. Unlike leases
/// they survive a crash of the database, and go back with it when it fails over.
struct InMemorySilences: Sendable {
    private var lastRenewal: Int?
    private var unrecorded: [Silence] = []

    /// What one answer says.
    var oldest: [Silence] { Array(unrecorded.prefix(Silence.answerLimit)) }

    mutating func leaseRenewed(at time: Int) {
        guard let before = lastRenewal else { return lastRenewal = time }
        let now = max(before, time)
        lastRenewal = now
        if now - before >= Silence.least { unrecorded.append(Silence(since: before, until: now)) }
    }

    mutating func delete(_ recorded: [Silence]) {
        if !recorded.isEmpty { unrecorded.removeAll { recorded.contains($0) } }
    }
}
