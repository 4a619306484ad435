/// What Reversi and connect four have in common: two players, one move at a time, and ends that no rule of the board
/// brings.
struct Duel: Sendable {
    let started: JSON
    let game: String
    let mode: String
    let serverSeed: [UInt8]?
    /// Milliseconds; 0: no limit.
    let turnTime: Int
    var players: Players
    /// Whose turn it is: 0 or 1, in the order of turns.
    var current: Int
    /// Who began.
    let first: Int
    var deadline: Int?
    /// Moved on by time that did not count.
    var startedAt: Int
    var hasMoved = false
    var isOver = false
    /// Who has lost before the end, and by what: `time`, `resigned` or `left`.
    var lost: (index: Int, reason: String)?

    init(_ started: JSON, _ deal: Deal, game: String, columns: Int, rows: Int) throws(BrokenPromise) {
        let players = try Players(started)
        guard players.count == 2, let first = started["first"]?.number.flatMap({ players.index(of: $0) }),
            let time = started["t"]?.number
        else { throw BrokenPromise(beginning, "it has not two players: \(started)") }
        let seconds = RoomOptions.turnTime(deal.asked, people: players.humans)
        let fields: JSON = [
            "options": ["seats": 2, "turnTime": .number(seconds)],
            "board": ["columns": .number(columns), "rows": .number(rows)],
        ]
        let shown: JSON = ["options": started["options"] ?? .null, "board": started["board"] ?? .null]
        if let difference = fields.difference(from: shown) { throw BrokenPromise(beginning, difference) }
        (self.started, self.game, self.players, self.first) = (started, game, players, first)
        mode = "\(columns)x\(rows)"
        serverSeed = deal.serverSeed
        turnTime = seconds * 1_000
        current = first
        startedAt = time
    }

    var turn: Int { players[current].seat }
    var seats: [Int] { players.seats }

    /// Whose number in the order of turns is `index`, with time for a move from now on.
    func turn(of index: Int, at time: Int) -> GameEvent {
        .turn(seat: players[index].seat, deadline: turnTime > 0 ? time + turnTime : nil)
    }

    /// What is the same in both games; false: it is not.
    mutating func apply(_ event: GameEvent, at time: Int) -> Bool {
        switch event {
        case .turn(let seat, let deadline):
            current = players.index(of: seat) ?? current
            self.deadline = deadline
        case .turnExpired(let seat): lose(seat, "time")
        case .resigned(let seat): lose(seat, "resigned")
        case .playerLeft(let departure):
            lose(departure.seat, "left")
            guard let index = players.index(of: departure.seat) else { return true }
            players.leave(index, after: max(0, time - startedAt))
        case .clockExtended(let ms):
            startedAt += ms
            deadline = deadline.map { $0 + ms }
        case .gameEnded: isOver = true
        case .seatHelped(let seat): players.help(seat, true)
        case .seatReturned(let seat): players.help(seat, false)
        default: return false
        }
        return true
    }

    private mutating func lose(_ seat: Int, _ reason: String) {
        guard let index = players.index(of: seat) else { return }
        lost = (index, reason)
        deadline = nil
    }

    /// `results`: how both stand, without places.
    func ending(
        _ reason: String, _ results: [GameResult], at time: Int, gone: [Absence], winner: Int?
    ) -> GameEvent {
        var results = results
        if reason == "finished" { results = players.leave(results, gone, at: time, turnTime: turnTime) }
        if reason == "restart" && !hasMoved || reason == "fault" { results = [] }
        return .gameEnded(
            Ending(
                game: game, mode: mode, number: number, results: placed(results, winner: winner), reason: reason,
                isUnplayed: !hasMoved && ["time", "resigned"].contains(reason), reveal: players.reveal(serverSeed)))
    }

    /// Nobody has won: it goes by the scores.
    func placed(_ results: [GameResult], winner: Int?) -> [GameResult] {
        let seat = winner.map { players[$0].seat }
        return ReferenceModel.placed(results) { one, other in
            seat == nil ? one.score > other.score : one.seat == seat && other.seat != seat
        }
    }

    func departure(_ seat: Int, reason: String, _ result: GameResult) -> GameEvent {
        .playerLeft(
            Departure(
                seat: seat, player: result.player, reason: reason, game: game, mode: mode, number: number,
                against: players.against, result: result))
    }

    private var number: Int { started["number"]?.number ?? 0 }

    /// The members that both views have.
    func viewMembers(_ cells: [Int8], _ others: [(String, JSON?)]) -> JSON {
        var members: [JSON.Member] = [
            .init("options", started["options"] ?? .null), .init("seats", .numbers(seats)),
            .init("cells", .list(cells.map { $0 < 0 ? .null : .number(players[Int($0)].seat) })),
            .init("turn", .number(turn)),
        ]
        let early = lost.map { lost -> JSON in
            ["seat": .number(players[lost.index].seat), "reason": .text(lost.reason)]
        }
        for (name, value) in others + [("deadline", deadline.map(JSON.number)), ("lost", early)] {
            if let value { members.append(.init(name, value)) }
        }
        return .object(members)
    }
}

private let beginning = "a game begins as its room and its rules say"
