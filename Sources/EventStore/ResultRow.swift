/// What a player made of one game: a row of the leaderboard. It follows from the log and is never changed by hand.
public struct ResultRow: Sendable, Equatable {
    /// How it came about: only those that were played to the end by the player alone are ranked.
    public enum Kind: Int, Sendable, CaseIterable {
        case finished, left, helped
    }

    /// With `number` and `seat`, which result this is: one that comes again takes the place of the one before.
    public let room: String
    /// The game's number in its room.
    public let number: Int
    public let seat: Int
    public let game: String
    public let mode: String
    /// The player's id.
    public let player: String
    public let score: Int
    /// 0 in games that count none.
    public let turns: Int
    /// Time played, ms.
    public let time: Int
    /// When the game ended or the player left, ms since 1970.
    public let at: Int
    public let kind: Kind

    public init(
        room: String, number: Int, seat: Int, game: String, mode: String, player: String, score: Int, turns: Int,
        time: Int, at: Int, kind: Kind
    ) {
        (self.room, self.number, self.seat) = (room, number, seat)
        (self.game, self.mode, self.player) = (game, mode, player)
        (self.score, self.turns, self.time, self.at, self.kind) = (score, turns, time, at, kind)
    }

    /// Days since 1970-01-01, UTC.
    public var day: Int { ResultRow.day(of: at) }
    /// Weeks from Monday to Sunday since the one of 1970-01-01, UTC.
    public var week: Int { ResultRow.week(of: at) }

    static func day(of time: Int) -> Int { Int((Double(time) / 86_400_000).rounded(.down)) }
    // 1970-01-01 was a Thursday.
    static func week(of time: Int) -> Int { Int((Double(day(of: time) + 3) / 7).rounded(.down)) }
}

/// Which results are asked for, and in what order.
public struct ResultsQuery: Sendable, Equatable {
    /// Newest first, or best first: the higher score, then fewer turns, then less time.
    public enum Order: Sendable { case recent, best }
    /// From which time on: the day or the week of a moment (ms since 1970), by UTC.
    public enum Span: Sendable, Equatable { case all, day(of: Int), week(of: Int) }

    /// Nil: of all games.
    public let game: String?
    /// Nil: of all modes. The best are those of one game and mode.
    public let mode: String?
    public let order: Order
    public let span: Span
    /// The last result of the page before; nil: from the beginning.
    public let after: ResultRow?
    public let limit: Int

    public init(game: String?, mode: String?, order: Order, span: Span, after: ResultRow?, limit: Int) {
        (self.game, self.mode, self.order) = (game, mode, order)
        (self.span, self.after, self.limit) = (span, after, limit)
    }

    /// Whether `row` is asked for, whatever its place.
    func includes(_ row: ResultRow) -> Bool {
        guard game == nil || row.game == game, mode == nil || row.mode == mode else { return false }
        guard order == .recent || row.kind == .finished else { return false }
        return switch span {
        case .all: true
        case .day(let time): row.day == ResultRow.day(of: time)
        case .week(let time): row.week == ResultRow.week(of: time)
        }
    }

    /// Whether `first` comes before `second`.
    func isBefore(_ first: ResultRow, _ second: ResultRow) -> Bool {
        switch order {
        case .recent: return second.place < first.place
        case .best:
            let (ranks, others) = (first.rank, second.rank)
            return ranks == others ? first.place < second.place : ranks < others
        }
    }
}

extension ResultRow {
    /// What makes one better than another: the less, the better.
    fileprivate var rank: (Int, Int, Int) { (-score, turns, time) }
    /// When it was, and what tells those of the same moment apart.
    fileprivate var place: (Int, String, Int, Int) { (at, room, number, seat) }
}
