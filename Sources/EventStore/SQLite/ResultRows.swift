/// The results, in the file of the projections.
struct ResultRows {
    /// `loss` is the score with the other sign, so that every order is ascending and one comparison of rows finds where
    /// a page begins.
    static let schema = """
        CREATE TABLE results (
            room TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, game TEXT NOT NULL, mode TEXT NOT NULL,
            player TEXT NOT NULL, loss INTEGER NOT NULL, turns INTEGER NOT NULL, time INTEGER NOT NULL,
            at INTEGER NOT NULL, day INTEGER NOT NULL, week INTEGER NOT NULL, kind INTEGER NOT NULL,
            PRIMARY KEY (room, number, seat)
        ) STRICT;
        CREATE INDEX results_recent ON results (at, room, number, seat);
        CREATE INDEX results_recent_game ON results (game, at, room, number, seat);
        CREATE INDEX results_recent_mode ON results (game, mode, at, room, number, seat);
        CREATE INDEX results_best ON results (game, mode, loss, turns, time, at, room, number, seat) WHERE kind = 0;
        CREATE INDEX results_best_day ON results (game, mode, day, loss, turns, time, at, room, number, seat)
            WHERE kind = 0;
        CREATE INDEX results_best_week ON results (game, mode, week, loss, turns, time, at, room, number, seat)
            WHERE kind = 0;
        """

    private static let columns = "room, number, seat, game, mode, player, loss, turns, time, at, kind"
    private static let recentKey = "at, room, number, seat"
    private static let bestKey = "loss, turns, time, at, room, number, seat"

    private let database: Database
    private let set: Statement

    init(_ database: Database) throws(SQLiteFailure) {
        self.database = database
        set = try database.prepare(
            """
            INSERT OR REPLACE INTO results (\(ResultRows.columns), day, week)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """)
    }

    func apply(_ row: ResultRow) throws(SQLiteFailure) {
        set.bind(row.room, at: 1)
        set.bind(row.number, at: 2)
        set.bind(row.seat, at: 3)
        set.bind(row.game, at: 4)
        set.bind(row.mode, at: 5)
        set.bind(row.player, at: 6)
        set.bind(-row.score, at: 7)
        set.bind(row.turns, at: 8)
        set.bind(row.time, at: 9)
        set.bind(row.at, at: 10)
        set.bind(row.kind.rawValue, at: 11)
        set.bind(row.day, at: 12)
        set.bind(row.week, at: 13)
        try set.run()
    }

    func answer(_ query: ResultsQuery) throws(SQLiteFailure) -> [ResultRow] {
        let (sql, values) = ResultRows.statement(query)
        let statement = try database.prepare(sql)
        for (index, value) in values.enumerated() {
            switch value {
            case .number(let number): statement.bind(number, at: Int32(index + 1))
            case .text(let text): statement.bind(text, at: Int32(index + 1))
            }
        }
        var rows: [ResultRow] = []
        while try statement.step() {
            rows.append(
                ResultRow(
                    room: statement.text(0), number: statement.integer(1), seat: statement.integer(2),
                    game: statement.text(3), mode: statement.text(4), player: statement.text(5),
                    score: -statement.integer(6), turns: statement.integer(7), time: statement.integer(8),
                    at: statement.integer(9), kind: ResultRow.Kind(rawValue: statement.integer(10)) ?? .left))
        }
        return rows
    }

    enum Value: Equatable {
        case number(Int)
        case text(String)

        /// The time at which this day begins.
        static func days(_ count: Int) -> Value { .number(count * 86_400_000) }
    }

    /// Each query is a walk along one of the indexes above, from where its page begins.
    static func statement(_ query: ResultsQuery) -> (sql: String, values: [Value]) {
        var conditions: [String] = []
        var values: [Value] = []
        func add(_ condition: String, _ new: Value...) {
            conditions.append(condition)
            values += new
        }
        if let game = query.game { add("game = ?", .text(game)) }
        if let mode = query.mode { add("mode = ?", .text(mode)) }
        let isBest = query.order == .best
        if isBest { add("kind = 0") }
        switch (query.span, isBest) {
        case (.all, _): break
        case (.day(let time), true): add("day = ?", .number(ResultRow.day(of: time)))
        case (.week(let time), true): add("week = ?", .number(ResultRow.week(of: time)))
        case (.day(let time), false):
            let day = ResultRow.day(of: time)
            add("at >= ? AND at < ?", .days(day), .days(day + 1))
        case (.week(let time), false):
            let monday = ResultRow.week(of: time) * 7 - 3
            add("at >= ? AND at < ?", .days(monday), .days(monday + 7))
        }
        if let last = query.after {
            let place: [Value] = [.number(last.at), .text(last.room), .number(last.number), .number(last.seat)]
            let rank: [Value] = [.number(-last.score), .number(last.turns), .number(last.time)]
            conditions.append(
                isBest ? "(\(bestKey)) > (?, ?, ?, ?, ?, ?, ?)" : "(\(recentKey)) < (?, ?, ?, ?)")
            values += isBest ? rank + place : place
        }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let order = isBest ? bestKey : recentKey.split(separator: ", ").map { $0 + " DESC" }.joined(separator: ", ")
        values.append(.number(query.limit))
        return ("SELECT \(columns) FROM results\(filter) ORDER BY \(order) LIMIT ?", values)
    }
}
