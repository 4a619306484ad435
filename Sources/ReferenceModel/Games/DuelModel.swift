/// A game of two that take turns on a board, which ends for both at once.
protocol DuelModel: GameModel {
    var duel: Duel { get set }
    /// Who has won whatever the scores are, by the order of turns; nil: nobody, or scores say.
    var winner: Int? { get }
    /// In the order of turns, without places.
    func results(at time: Int) -> [GameResult]
    /// On a move of the game's own by a player, in the order of turns; nil: it is no such move.
    func verdict(on command: GameCommand, of index: Int, at time: Int, gone: [Absence]) -> Verdict?
}

extension DuelModel {
    var game: String { duel.game }
    var mode: String { duel.mode }
    var seats: [Int] { duel.seats }
    var turn: Int { duel.turn }
    var deadline: Int? { duel.deadline }
    var waitsForMove: Bool { !duel.isOver }
    var due: Int? { duel.isOver ? nil : duel.deadline }
    var away: [Int] { [] }
    var left: [Int] { duel.players.all.filter { $0.playedFor != nil }.map(\.seat) }
    var isOver: Bool { duel.isOver }
    var hasMoved: Bool { duel.hasMoved }

    func opening(at time: Int) -> [GameEvent] { [duel.turn(of: duel.current, at: time)] }
    func wasHelped(_ seat: Int) -> Bool {
        duel.players.index(of: seat).map { duel.players[$0].wasHelped } ?? false
    }

    func verdict(on command: GameCommand, by seat: Int, at time: Int, gone: [Absence]) -> Verdict {
        guard !isOver, let index = duel.players.index(of: seat) else {
            return .refused(code: "not-running", values: [])
        }
        switch command {
        case .resign: return .events(over(by: .resigned(seat: seat), "resigned", at: time, gone))
        case .here: return .events([])
        default:
            return verdict(on: command, of: index, at: time, gone: gone) ?? .refused(code: "unknown-type", values: [])
        }
    }

    func lapse(at time: Int, gone: [Absence]) -> [GameEvent] {
        guard let due, due <= time else { return [] }
        return over(by: .turnExpired(seat: turn), "time", at: time, gone)
    }

    func leaving(_ seat: Int, reason: String, at time: Int, gone: [Absence]) -> [GameEvent] {
        guard let index = duel.players.index(of: seat) else { return [] }
        var after = self
        let draft = duel.departure(seat, reason: reason, results(at: time)[index])
        after.apply(draft, at: time)
        let result = duel.placed(after.results(at: time), winner: 1 - index)[index]
        return [duel.departure(seat, reason: reason, result), after.ending(reason: "resigned", at: time, gone: gone)]
    }

    func ending(reason: String, at time: Int, gone: [Absence]) -> GameEvent {
        duel.ending(reason, results(at: time), at: time, gone: gone, winner: winner)
    }

    /// `event`, and the end that it is.
    func over(by event: GameEvent, _ reason: String, at time: Int, _ gone: [Absence]) -> [GameEvent] {
        var after = self
        after.apply(event, at: time)
        return [event, after.ending(reason: reason, at: time, gone: gone)]
    }
}
