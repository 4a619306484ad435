import EventStore

/// The newest commits of a room's players, by id: what is sent twice is answered, not judged again.
struct AnsweredCommands {
    /// So many are remembered at least.
    static let limit = 256

    /// The version of each commit's last event.
    private var versions: [CommitID: Int] = [:]
    private var order: [CommitID] = []

    /// The room's, once the request was done; nil if it was not, or is not remembered.
    func version(of request: RoomRequest) -> Int? { request.commit.flatMap { versions[$0] } }

    mutating func note(_ records: [Record]) {
        for (index, record) in records.enumerated() {
            // Of a commit the last record counts.
            if index + 1 < records.count, records[index + 1].commit == record.commit { continue }
            // The room's own commits are never asked for again by a client.
            guard record.commit.isCommand else { continue }
            if versions.updateValue(record.version, forKey: record.commit) == nil { order.append(record.commit) }
        }
        // Twice the limit and then cut to it: so nothing is moved for most records.
        guard order.count > Self.limit * 2 else { return }
        let surplus = order.count - Self.limit
        for old in order.prefix(surplus) { versions[old] = nil }
        order.removeFirst(surplus)
    }
}
