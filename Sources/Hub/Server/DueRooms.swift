import Games

/// Wakes sleeping rooms whose deadline is near, on all shards. Lives on the first one.
final class DueRooms {
    /// Most that are woken at a time.
    static let limit = 10_000

    private let surroundings: RoomSurroundings
    private let shards: any ShardDirectory
    /// Those due before this have been woken.
    private var horizon: Milliseconds = .min

    init(_ surroundings: RoomSurroundings, shards: any ShardDirectory) {
        self.surroundings = surroundings
        self.shards = shards
    }

    func wake() {
        let until = surroundings.now + surroundings.limits.wakeAhead
        let from = horizon
        surroundings.readModels.find(.rooms(dueFrom: from, before: until, limit: Self.limit)) { [self] result in
            // What cannot be read now is looked for again the next time.
            guard case .success(let rows) = result else { return }
            // Unless all are to be looked for since it was asked.
            if horizon == from { horizon = rows.count < Self.limit ? until : rows.last?.deadline ?? until }
            var codes = [[String]](repeating: [], count: shards.count)
            for row in rows where surroundings.cluster?.home(ofRoom: row.code) == nil {
                codes[shardIndex(ofRoom: row.code, count: shards.count)].append(row.code)
            }
            for (index, codes) in codes.enumerated() where !codes.isEmpty {
                shards.post(.wake(codes: codes), to: index)
            }
        }
    }

    /// Looks for all of them once more: rooms that were woken while the log was down may have had a log that could not
    /// be read, and other nodes may have been the homes of others.
    func beginAnew() { horizon = .min }
}
