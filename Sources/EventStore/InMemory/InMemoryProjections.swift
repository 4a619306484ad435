import Synchronization

/// Projections in memory, for tests: every call is answered before it returns.
public final class InMemoryProjections: Projections {
    private let rows = Mutex(Rows())

    public init() {}

    public func apply(_ changes: [RowChange], reached position: Int?) {
        rows.withLock { rows in
            for change in changes { rows.apply(change) }
            if let position { rows.position = position }
        }
    }

    public func position(ticket: Ticket, answer: any LogInbox) {
        let position = rows.withLock { $0.position }
        answer.deliver([.reached(ticket, .success(position))])
    }

    public func players(ids: [String], ticket: Ticket, answer: any LogInbox) {
        let found = rows.withLock { rows in ids.compactMap { id in rows.players.values.first { $0.id == id } } }
        answer.deliver([.players(ticket, .success(found))])
    }

    public func player(tokenHash: String, ticket: Ticket, answer: any LogInbox) {
        let found = rows.withLock { rows in rows.players.values.filter { $0.tokenHash == tokenHash } }
        answer.deliver([.players(ticket, .success(found))])
    }

    public func rooms(dueFrom start: Int, before end: Int, limit: Int, ticket: Ticket, answer: any LogInbox) {
        let due = rows.withLock { rows in
            rows.rooms.values.filter { $0.deadline.map { start <= $0 && $0 < end } ?? false }.sorted {
                ($0.deadline ?? .max, $0.code) < ($1.deadline ?? .max, $1.code)
            }
        }
        answer.deliver([.rooms(ticket, .success(Array(due.prefix(limit))))])
    }

    public func openRooms(limit: Int, ticket: Ticket, answer: any LogInbox) {
        let open = rows.withLock { rows in
            rows.rooms.values.filter { $0.isOpen && $0.isPublic }.sorted {
                ($1.changed, $0.code) < ($0.changed, $1.code)
            }
        }
        answer.deliver([.rooms(ticket, .success(Array(open.prefix(limit))))])
    }

    public func rooms(openedBy player: String, since start: Int, limit: Int, ticket: Ticket, answer: any LogInbox) {
        let opened = rows.withLock { rows in
            rows.rooms.values.filter { $0.opener == player && $0.opened >= start }.sorted {
                ($1.opened, $0.code) < ($0.opened, $1.code)
            }
        }
        answer.deliver([.rooms(ticket, .success(Array(opened.prefix(limit))))])
    }

    public func results(_ query: ResultsQuery, ticket: Ticket, answer: any LogInbox) {
        let found = rows.withLock { Array($0.results.values) }.filter { row in
            query.includes(row) && query.after.map { query.isBefore($0, row) } ?? true
        }
        let sorted = found.sorted { query.isBefore($0, $1) }
        answer.deliver([.results(ticket, .success(Array(sorted.prefix(query.limit))))])
    }

    public func close() {}
}

private struct Rows: Sendable {
    var position = 0
    /// By folded name.
    var players: [String: PlayerRow] = [:]
    var rooms: [String: RoomRow] = [:]
    /// By room, game and seat.
    var results: [String: ResultRow] = [:]

    mutating func apply(_ change: RowChange) {
        switch change {
        case .player(let row): players[row.folded] = row
        case .playerErased(let head): players = players.filter { $0.value.head != head }
        case .result(let row): results["\(row.room)/\(row.number)/\(row.seat)"] = row
        case .room(let row):
            if let old = rooms[row.code], old.version > row.version { return }
            rooms[row.code] = row
        }
    }
}
