import Games

/// Wakes sleeping rooms whose deadline is near, on all shards. Lives on the first one.
final class DueRooms {
    /// Most that are woken at a time.
    static let limit = 10_000
    /// Most rooms whose deadline is kept here while there are no rows: as many as one loop keeps awake. Those past it
    /// wake when somebody comes, or when there are rows again.
    static let toldLimit = 100_000

    private let surroundings: RoomSurroundings
    private let shards: any ShardDirectory
    private let toldLimit: Int
    /// Those due before this have been woken.
    private var horizon: Milliseconds = .min
    /// Deadlines, as rooms have told them while there were no rows.
    private var told: [String: Milliseconds] = [:]

    init(
        _ surroundings: RoomSurroundings, shards: any ShardDirectory, toldLimit: Int = DueRooms.toldLimit
    ) {
        (self.surroundings, self.toldLimit) = (surroundings, toldLimit)
        self.shards = shards
    }

    func wake() {
        let until = surroundings.now + surroundings.limits.wakeAhead
        let from = horizon
        surroundings.readModels.find(.rooms(dueFrom: from, before: until, limit: Self.limit)) { [self] result in
            wakeTold(before: until)
            // What cannot be read now is looked for again the next time.
            guard case .success(let rows) = result else { return }
            // Unless all are to be looked for since it was asked.
            if horizon == from { horizon = rows.count < Self.limit ? until : rows.last?.deadline ?? until }
            wake(rows.map(\.code))
        }
    }

    private func wakeTold(before end: Milliseconds) {
        guard !told.isEmpty else { return }
        let due = told.filter { $0.value < end }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(Self.limit)
        for (code, _) in due { told[code] = nil }
        wake(due.map(\.key))
    }

    private func wake(_ rooms: [String]) {
        var codes = [[String]](repeating: [], count: shards.count)
        for room in rooms where surroundings.cluster?.home(ofRoom: room) == nil {
            codes[shardIndex(ofRoom: room, count: shards.count)].append(room)
        }
        for (index, codes) in codes.enumerated() where !codes.isEmpty {
            shards.post(.wake(codes: codes), to: index)
        }
    }

    /// What rooms say of themselves while there are no rows that would say it.
    func tell(of rows: [RoomRow]) {
        for row in rows where told[row.code] != nil || told.count < toldLimit { told[row.code] = row.deadline }
    }

    /// The rows hold all rooms again: any may have been missing when they were last asked.
    func rowsAreWhole() {
        told = [:]
        beginAnew()
    }

    /// Looks for all of them once more: rooms that were woken while the log was down may have had a log that could not
    /// be read, and other nodes may have been the homes of others.
    func beginAnew() { horizon = .min }
}
