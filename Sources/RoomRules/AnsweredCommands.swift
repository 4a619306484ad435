import Records

/// The newest commands of a room's players. A command that is sent twice gets its first answer again.
public struct AnsweredCommands: Sendable {
    /// At least this many are remembered.
    static let limit = 256

    /// The version of each commit's last event.
    private var versions: [CommitID: Int] = [:]
    private var order: [CommitID] = []

    /// The room's version after `commit`; nil if the log does not have it, or if it is too old.
    public func version(of commit: CommitID) -> Int? { versions[commit] }

    /// Remembers nothing yet.
    public init() {}

    /// From the result of `newest`.
    init(_ commands: [(commit: CommitID, version: Int)]) {
        for (commit, version) in commands where versions.updateValue(version, forKey: commit) == nil {
            order.append(commit)
        }
    }

    /// The newest up to this version, in order. At most `limit`, since older ones are not always remembered.
    func newest(until version: Int) -> [(commit: CommitID, version: Int)] {
        let known = order.lazy.compactMap { commit in versions[commit].map { (commit, $0) } }
        return Array(known.filter { $0.1 <= version }.suffix(Self.limit))
    }

    /// Remembers the commands that wrote `records`.
    public mutating func rememberCommands(of records: [Record]) {
        for index in records[Self.firstNoted(of: records)...].indices where Self.isNoted(index, in: records) {
            let (commit, version) = (records[index].commit, records[index].version)
            if versions.updateValue(version, forKey: commit) == nil { order.append(commit) }
        }
        // Cut only at twice the limit, since each cut moves the rest.
        guard order.count > Self.limit * 2 else { return }
        let surplus = order.count - Self.limit
        for old in order.prefix(surplus) { versions[old] = nil }
        order.removeFirst(surplus)
    }

    /// Whether this record ends a player's command. Clients never repeat the room's own commits.
    private static func isNoted(_ index: Int, in records: [Record]) -> Bool {
        let commit = records[index].commit
        guard commit.isCommand else { return false }
        return index + 1 == records.count || records[index + 1].commit != commit
    }

    /// The first record of a long log to look at. Commands before it would be dropped at once.
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
