import JSON

/// A game whose players go out one after another: by resigning, by leaving or because their time ran out. The others
/// play on, and the game ends early once only one of them is left.
protocol EliminationGame: Game {
    /// In the order of turns, also those who are out.
    var players: [Seat] { get }
    /// In the order in which they went out.
    var exits: [Exit] { get set }
    /// Players who left. Some of them may have been out before.
    var left: Set<Seat> { get set }
    var clock: GameClock { get set }
    /// Whether the game is over, early or not.
    var isOver: Bool { get }
    func score(of seat: Seat) -> Int
    /// Changes what else follows when a player goes out: the turn, the clock. The exit is recorded already.
    mutating func applyExit(of seat: Seat)
}

/// How a player went out.
struct Exit: Sendable, Equatable {
    let end: EarlyEnd
    /// Time played until then.
    let time: Milliseconds
}

extension EliminationGame {
    /// Those who are not out, in the order of turns.
    var playing: [Seat] { players.filter { !isOut($0) } }
    var isEndedEarly: Bool { exits.count >= players.count - 1 }

    func isOut(_ seat: Seat) -> Bool { exits.contains { $0.end.loser == seat } }

    /// All others in the order of turns after `seat`, then `seat`, as far as they are not out.
    func playing(after seat: Seat) -> [Seat] {
        let start = (players.firstIndex(of: seat) ?? 0) + 1
        return (players[start...] + players[..<start]).filter { !isOut($0) }
    }

    /// The next player who is not out; `seat` itself if there is no other.
    func next(after seat: Seat) -> Seat { playing(after: seat).first ?? seat }

    /// Takes a player out who is not out yet.
    mutating func remove(_ seat: Seat, _ reason: EarlyEnd.Reason, at time: Milliseconds) {
        guard playing.contains(seat) else { return }
        exits.append(Exit(end: EarlyEnd(reason: reason, loser: seat), time: clock.timePlayed(until: time)))
        applyExit(of: seat)
    }

    public mutating func applyLeaving(of seat: Seat, at time: Milliseconds) {
        clock.latest = time
        guard !isOver, players.contains(seat) else { return }
        left.insert(seat)
        remove(seat, .left, at: time)
    }

    public var deadline: Milliseconds? { clock.deadline }
    public mutating func extendClock(by span: Milliseconds) { clock.extend(by: span) }

    /// Why it ended early; nil if it did not.
    var earlyReason: Outcome.Reason? { isEndedEarly ? exits.last?.end.outcome : nil }

    /// As `out` of a view: {seat, reason: `time`, `resigned` or `left`} of each player who is out.
    var out: Value { .list(exits.map { .object($0.end.fields) }) }
    /// As `scores` of a view: an object from each seat, as text, to its score.
    var scores: Value { .object(Fields(players.map { (String($0.rawValue), .integer(score(of: $0))) })) }

    /// Once a player is out, places are given explicitly, since every player who is not ranks higher.
    public func results(at time: Milliseconds) -> [PlayerResult] {
        let ranks = players.map { (isOut($0) ? 0 : 1, score(of: $0)) }
        return zip(players, ranks).map { seat, rank in
            PlayerResult(
                seat: seat, score: rank.1, figures: [:],
                time: exits.first { $0.end.loser == seat }?.time ?? clock.timePlayed(until: time),
                isLeftEarly: left.contains(seat), place: exits.isEmpty ? nil : 1 + ranks.count { $0 > rank })
        }
    }
}
