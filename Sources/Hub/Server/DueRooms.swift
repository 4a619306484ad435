import Games
import RoomRules

/// Wakes sleeping rooms whose deadline is near, on all shards. Lives on the first one.
final class DueRooms {
    /// Most that are woken at a time.
    static let limit = 10_000
    /// Most rooms whose deadline is kept here while there are no rows: as many as one loop keeps awake. Those past it
    /// wake when somebody comes, or when there are rows again.
    static let toldLimit = 100_000
    /// What is due for so long is woken by any node.
    static let patience: Milliseconds = 10_000
    /// Most of those at a time.
    static let overdueLimit = 256

    private let surroundings: RoomSurroundings
    private let shards: any ShardDirectory
    private let toldLimit: Int
    /// Those due before this have been woken.
    private var horizon: Milliseconds = .min
    /// Where to go on among those that are overdue.
    private var overdueFrom: Milliseconds = .min
    /// Those due before this have been looked for, or are just now.
    private var lookedUntil: Milliseconds = .min
    /// Deadlines, as rooms have told them while there were no rows.
    private var told: [String: Milliseconds] = [:]
    /// Up to where rows had come when they were last read.
    private var position = 0
    /// The position that rows have to reach before they say of each room when it is due; nil: they have.
    private var catchUpEnd: Int?
    /// Whether it is to be found out where that is.
    private var mustAskForEnd = false

    init(
        _ surroundings: RoomSurroundings, shards: any ShardDirectory, toldLimit: Int = DueRooms.toldLimit
    ) {
        (self.surroundings, self.toldLimit) = (surroundings, toldLimit)
        self.shards = shards
    }

    func wake() {
        if mustAskForEnd { askForEnd() }
        wakeOverdue()
        let until = surroundings.now + surroundings.limits.wakeAhead
        let from = horizon
        lookedUntil = until
        let query = ReadModelQuery<RoomRow>.rooms(dueFrom: from, before: until, limit: Self.limit)
        surroundings.readModels.findAtPosition(query) { [self] result in
            wakeTold(before: until)
            // What cannot be read now is looked for again the next time.
            guard case .success(let (rows, position)) = result else { return }
            // Unless all are to be looked for since it was asked.
            if horizon == from { horizon = rows.count < Self.limit ? until : rows.last?.deadline ?? until }
            wake(rows.map(\.code))
            rowsHaveCome(to: position)
        }
    }

    /// Rows that were written after it was looked for them are looked for again. Those that this node writes it
    /// knows by themselves.
    private func rowsHaveCome(to position: Int) {
        // They are built again.
        if position < self.position { catchUpEnd = max(catchUpEnd ?? 0, self.position) }
        self.position = position
        guard let end = catchUpEnd, position >= end else { return }
        (catchUpEnd, horizon) = (nil, .min)
    }

    /// Where the log ends now.
    private func askForEnd() {
        mustAskForEnd = false
        surroundings.loadNewest(1) { [self] result in
            guard case .success(let records) = result else { return mustAskForEnd = true }
            catchUpEnd = max(catchUpEnd ?? 0, records.last?.position ?? 0)
        }
    }

    /// These rows are new. Where a room sleeps, and is due, its row has come after it was looked for: such as of a room
    /// whose last events were read when the hub started.
    func rowsChanged(_ rows: [RoomRow]) {
        wake(rows.filter { $0.deadline.map { [lookedUntil] in $0 < lookedUntil } ?? false }.map(\.code))
    }

    private func wakeTold(before end: Milliseconds) {
        guard !told.isEmpty else { return }
        let due = told.filter { $0.value < end }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(Self.limit)
        for (code, _) in due { told[code] = nil }
        wake(due.map(\.key))
    }

    private func wake(_ rooms: [String]) {
        post(rooms.filter(isOurs))
    }

    private func post(_ rooms: [String]) {
        var codes = [[String]](repeating: [], count: shards.count)
        for room in rooms {
            codes[shardIndex(ofRoom: room, count: shards.count)].append(room)
        }
        for (index, codes) in codes.enumerated() where !codes.isEmpty {
            shards.post(.wake(codes: codes), to: index)
        }
    }

    /// Of several nodes one looks after each room that sleeps; where somebody is in it, its home does.
    private func isOurs(_ room: String) -> Bool {
        guard let cluster = surroundings.cluster else { return true }
        return cluster.isFirst(for: room) && !surroundings.presence.count(in: room).isSomebody
    }

    /// Rooms that nobody has looked after for too long: any node is to.
    private func wakeOverdue() {
        guard surroundings.cluster != nil else { return }
        let query = ReadModelQuery<RoomRow>.rooms(
            dueFrom: overdueFrom, before: surroundings.now - Self.patience, limit: Self.overdueLimit)
        surroundings.readModels.findAtPosition(query) { [self] result in
            guard case .success(let (rows, _)) = result else { return }
            // Some may stay overdue, as rooms that cannot be read.
            overdueFrom = rows.count < Self.overdueLimit ? .min : (rows.last?.deadline ?? 0) + 1
            post(rows.map(\.code))
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
    /// be read.
    func beginAnew() { horizon = .min }

    /// Looks for all of them again: others may have been the homes of some, and have written what rows lack.
    func nodesChanged() {
        beginAnew()
        askForEnd()
    }
}
