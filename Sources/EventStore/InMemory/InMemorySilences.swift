import Records

/// The last lease renewal of any serving run, and the silences that no run has seen in the log yet. Unlike leases they
/// survive a crash of the database, and a failover takes them back with it.
struct InMemorySilences: Sendable {
    private var lastRenewal: Int?
    private var unrecorded: [Silence] = []

    /// The silences for one answer.
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
