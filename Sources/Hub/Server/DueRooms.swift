import Cluster
import Games
import RoomRules
import Rooms

/// Wakes sleeping rooms whose deadline is near, on all shards. Lives on the first one.
final class DueRooms {
    /// Most rooms in one search.
    static let limit = 10_000
    /// Most rooms whose deadline is kept here while there are no rows: as many as one loop keeps awake. Others wake
    /// when a client comes, or when there are rows again.
    static let toldLimit = 100_000
    /// A room that has been due for longer is woken by any node.
    static let patience: Milliseconds = 10_000
    /// Most of those at a time.
    static let overdueLimit = 256

    private let surroundings: RoomSurroundings
    private let readModels: ReadModels
    private let cluster: ServingNodes?
    private let shards: any ShardDirectory
    private let toldLimit: Int
    /// Rooms due before this have been woken.
    private var horizon: Milliseconds = .min
    /// Where the search for overdue rooms continues.
    private var overdueFrom: Milliseconds = .min
    /// Rooms due before this have been searched for, or are being searched for.
    private var lookedUntil: Milliseconds = .min
    /// Deadlines that rooms have reported while there were no rows.
    private var told: [String: Milliseconds] = [:]
    /// The position of the rows at the last search.
    private var position = 0
    /// The position that rows must reach before they have the deadline of every room; nil if they have reached it.
    private var catchUpEnd: Int?
    /// Whether that position must still be found out.
    private var mustAskForEnd = false

    init(
        _ surroundings: RoomSurroundings, _ readModels: ReadModels, _ cluster: ServingNodes?,
        shards: any ShardDirectory, toldLimit: Int = DueRooms.toldLimit
    ) {
        (self.surroundings, self.readModels, self.cluster) = (surroundings, readModels, cluster)
        (self.shards, self.toldLimit) = (shards, toldLimit)
    }

    func wake() {
        if mustAskForEnd { askForEnd() }
        wakeOverdue()
        let until = surroundings.now + surroundings.limits.wakeAhead
        let from = horizon
        lookedUntil = until
        let query = ReadModelQuery<RoomRow>.rooms(dueFrom: from, before: until, limit: Self.limit)
        readModels.findAtPosition(query) { [self] result in
            wakeTold(before: until)
            // A search that failed is repeated next time.
            guard case .success(let (rows, position)) = result else { return }
            // Not if a search from the start was asked for in between.
            if horizon == from { horizon = rows.count < Self.limit ? until : rows.last?.deadline ?? until }
            wake(rows.map(\.code))
            rowsHaveCome(to: position)
        }
    }

    /// Searches again for rows that were written after the search. The node that writes them needs no search.
    private func rowsHaveCome(to position: Int) {
        // The rows are being built again.
        if position < self.position { catchUpEnd = max(catchUpEnd ?? 0, self.position) }
        self.position = position
        guard let end = catchUpEnd, position >= end else { return }
        (catchUpEnd, horizon) = (nil, .min)
    }

    /// Finds the current end of the log.
    private func askForEnd() {
        mustAskForEnd = false
        surroundings.log.loadNewest(1) { [self] result in
            guard case .success(let records) = result else { return mustAskForEnd = true }
            catchUpEnd = max(catchUpEnd ?? 0, records.last?.position ?? 0)
        }
    }

    /// These rows are new. A sleeping room that is due was missed because its row came after the search, such as a room
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

    private func wake(_ rooms: [String]) { post(rooms.filter(isOurs)) }

    private func post(_ rooms: [String]) {
        var codes = [[String]](repeating: [], count: shards.count)
        for room in rooms {
            codes[shardIndex(ofRoom: room, count: shards.count)].append(room)
        }
        for (index, codes) in codes.enumerated() where !codes.isEmpty {
            shards.post(.wake(codes: codes), to: index)
        }
    }

    /// One of the nodes takes care of each sleeping room. A room with connections is its home's.
    private func isOurs(_ room: String) -> Bool {
        guard let cluster else { return true }
        return cluster.isFirst(for: room) && !surroundings.presence.count(in: room).isSomebody
    }

    /// Wakes rooms that no node has woken for too long. Any node may.
    private func wakeOverdue() {
        guard surroundings.isShared else { return }
        let query = ReadModelQuery<RoomRow>.rooms(
            dueFrom: overdueFrom, before: surroundings.now - Self.patience, limit: Self.overdueLimit)
        readModels.findAtPosition(query) { [self] result in
            guard case .success(let (rows, _)) = result else { return }
            // Some may stay overdue, such as rooms that cannot be read.
            overdueFrom = rows.count < Self.overdueLimit ? .min : (rows.last?.deadline ?? 0) + 1
            post(rows.map(\.code))
        }
    }

    /// Takes deadlines from rooms while there are no rows.
    func recordDeadlines(of rows: [RoomRow]) {
        for row in rows where told[row.code] != nil || told.count < toldLimit { told[row.code] = row.deadline }
    }

    /// The rows have all rooms again. Any may have been missing at the last search.
    func rowsAreWhole() {
        told = [:]
        searchAllAgain()
    }

    /// Searches for all rooms again, since rooms that were woken while the log was down may not have been readable.
    func searchAllAgain() { horizon = .min }

    /// Searches for all rooms again, since nodes that have gone may have written events that rows lack.
    func nodesChanged() {
        searchAllAgain()
        askForEnd()
    }
}
