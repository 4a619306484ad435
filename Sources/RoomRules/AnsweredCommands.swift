import Records

/// The newest commits of a room's players, by id: what is sent twice is answered, not judged again.
public struct AnsweredCommands: Sendable {
    /// So many are remembered at least.
    static let limit = 256

    /// The version of each commit's last event.
    private var versions: [CommitID: Int] = [:]
    private var order: [CommitID] = []

    /// The room's version after this commit; nil if it is not in the log, or not remembered.
    public func version(of commit: CommitID) -> Int? { versions[commit] }

    public init() {}

    /// As `newest` gave them.
    init(_ commands: [(commit: CommitID, version: Int)]) {
        for (commit, version) in commands where versions.updateValue(version, forKey: commit) == nil {
            order.append(commit)
        }
    }

    /// Those that are remembered for certain and are in the log up to this version, in order.
    func newest(until version: Int) -> [(commit: CommitID, version: Int)] {
        let known = order.lazy.compactMap { commit in versions[commit].map { (commit, $0) } }
        return Array(known.filter { $0.1 <= version }.suffix(Self.limit))
    }

    public mutating func note(_ records: [Record]) {
        for index in records[Self.firstNoted(of: records)...].indices where Self.isNoted(index, in: records) {
            let (commit, version) = (records[index].commit, records[index].version)
            if versions.updateValue(version, forKey: commit) == nil { order.append(commit) }
        }
        // Twice the limit and then cut to it: so nothing is moved for most records.
        guard order.count > Self.limit * 2 else { return }
        let surplus = order.count - Self.limit
        for old in order.prefix(surplus) { versions[old] = nil }
        order.removeFirst(surplus)
    }

    /// Whether this record ends a command's commit: the room's own are never asked for again by a client.
    private static func isNoted(_ index: Int, in records: [Record]) -> Bool {
        let commit = records[index].commit
        guard commit.isCommand else { return false }
        return index + 1 == records.count || records[index + 1].commit != commit
    }

    /// Of a long log only the end is looked at: what is ahead of so many commands is forgotten at once.
    private static func firstNoted(of records: [Record]) -> Int {
        guard records.count > limit * 2 else { return 0 }
        var rest = limit * 2 + 1
        for index in records.indices.reversed() where isNoted(index, in: records) {
            rest -= 1
            if rest == 0 { return index }
        }
        return 0
    }
}
