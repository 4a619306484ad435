@testable import ReferenceModel

/// An event `game-started`, and the game that it begins.
struct Started {
    var asked: JSON = [:]
    /// `bot-` and the seat: a computer's.
    var players: [String] = ["p0", "p1"]
    var first = 0
    var seed = [UInt8](0..<32)
    var time = 1_700_000_000_000

    /// A game of Memory on this board, with faces "1" to "48".
    func memory(columns: Int, rows: Int, _ more: [String: JSON] = [:]) throws -> MemoryModel {
        let pairs = columns * rows / 2
        var board: [JSON.Member] = [
            .init("columns", .number(columns)), .init("rows", .number(rows)), .init("pairs", .number(pairs)),
        ]
        if columns * rows % 2 == 1 { board.append(.init("gap", .number(columns * rows / 2))) }
        let rule = more["rule"] ?? "pairs"
        let options: JSON = [
            "seats": more["seats"] ?? 8, "turnTime": more["turnTime"] ?? .number(people > 1 ? 30 : 0),
            "preset": "custom", "columns": .number(columns), "rows": .number(rows), "pairs": .number(pairs),
            "theme": "numbers", "rule": rule, "turnRule": more["turnRule"] ?? "again",
            "reveal": more["reveal"] ?? 1_000, "matched": more["matched"] ?? "stay",
        ]
        let asked = JSON.object(
            [.init("columns", .number(columns)), .init("rows", .number(rows)), .init("theme", "numbers")]
                + more.map { .init($0.key, $0.value) })
        let theme: JSON = [
            "name": "numbers", "faces": .list((1...48).map { .text("\($0)") }), "colour": ["blue"], "kind": "text",
        ]
        return try MemoryModel(
            event(options, [.init("theme", theme), .init("board", .object(board))]),
            Deal(serverSeed: seed, asked: asked))
    }

    func reversi() throws -> ReversiModel { try ReversiModel(duel(columns: 8, rows: 8), dealt) }
    func connectFour() throws -> ConnectFourModel { try ConnectFourModel(duel(columns: 7, rows: 6), dealt) }

    private var dealt: Deal { Deal(serverSeed: nil, asked: asked) }
    private var people: Int { players.count { !$0.hasPrefix("bot-") } }

    private func duel(columns: Int, rows: Int) -> JSON {
        event(
            ["seats": 2, "turnTime": asked["turnTime"] ?? .number(people > 1 ? 30 : 0)],
            [.init("board", ["columns": .number(columns), "rows": .number(rows)])])
    }

    private func event(_ options: JSON, _ more: [JSON.Member]) -> JSON {
        let seats = players.enumerated().map { seat, player -> JSON in
            player.hasPrefix("bot-")
                ? ["seat": .number(seat), "player": .text(player), "bot": "easy"]
                : ["seat": .number(seat), "player": .text(player)]
        }
        return .object(
            [
                .init("v", 5), .init("t", .number(time)), .init("type", "game-started"), .init("number", 1),
                .init("options", options), .init("seats", .list(seats)), .init("first", .number(first)),
            ] + more)
    }
}

/// A game that a test plays, and the time there.
struct Scripted<Model: GameModel> {
    var game: Model
    var now: Int
    /// Absent when the game ends.
    var gone: [Absence] = []

    init(_ game: Model, at time: Int = 1_700_000_000_000) {
        (self.game, now) = (game, time)
        follow(game.opening(at: now))
    }

    /// What came of it, as the log has it: `show-card`, or the code of a refusal.
    @discardableResult
    mutating func say(_ command: GameCommand, by seat: Int? = nil) -> [GameEvent] {
        switch game.verdict(on: command, by: seat ?? game.turn, at: now, gone: gone) {
        case .events(let events):
            follow(events)
            return events
        case .refused: return []
        }
    }

    func refusal(of command: GameCommand, by seat: Int? = nil) -> String? {
        guard case .refused(let code, _) = game.verdict(on: command, by: seat ?? game.turn, at: now, gone: []) else {
            return nil
        }
        return code
    }

    /// Waits until something happens by itself, `late` ms longer.
    @discardableResult
    mutating func wait(late: Int = 0) -> [GameEvent] {
        guard let due = game.due else { return [] }
        now = due + late
        let events = game.lapse(at: now, gone: gone)
        follow(events)
        return events
    }

    @discardableResult
    mutating func leave(_ seat: Int) -> [GameEvent] {
        let events = game.leaving(seat, reason: "left", at: now, gone: gone)
        follow(events)
        return events
    }

    private mutating func follow(_ events: [GameEvent]) { for event in events { game.apply(event, at: now) } }
}

extension [GameEvent] {
    var types: [String] { map(\.type) }

    /// Of the game's end.
    var results: [GameResult] {
        if case .gameEnded(let ending)? = last { ending.results } else { [] }
    }

    var reason: String? { if case .gameEnded(let ending)? = last { ending.reason } else { nil } }
}

extension MemoryModel {
    /// Two cards that are down and of a kind, the `skip`-th such.
    func twins(_ skip: Int = 0) -> (Int, Int) {
        let found = sides.indices.filter { sides[$0] == Side.down }.compactMap { cell -> (Int, Int)? in
            let other = sides.indices.first { $0 > cell && sides[$0] == Side.down && cards[$0] == cards[cell] }
            return other.map { (cell, $0) }
        }
        return found[skip]
    }

    /// Two that are down and differ.
    func strangers() -> (Int, Int) { (twins(0).0, twins(1).0) }
}
