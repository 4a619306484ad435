import Games
import JSON

/// A player without a connection, for 60 s or more. Whether that counts the game's end says.
struct Absence: Sendable, Equatable {
    let seat: Int
    /// The last moment of the connection.
    let since: Int
}

// What a room records when a game ends or a player leaves it.
extension GameFold {
    /// A turn of at least this many seconds is long: players may be away in between.
    static let longTurn = 3_600

    /// These steps, and the end of the game if they end it.
    func expected(_ steps: [GameStep], at time: Int, gone: [Absence]) -> [Expected] {
        let events = steps.map(Expected.init)
        return events + (steps.isEmpty ? [] : applying(steps, at: time).endGameIfOver(at: time, gone: gone))
    }

    /// `game-ended` if the game is over by its rules, else nothing.
    private func endGameIfOver(at time: Int, gone: [Absence]) -> [Expected] {
        guard let outcome = dealt.outcome else { return [] }
        return [ended(outcome.reason.rawValue, outcome.results, at: time, gone: gone)]
    }

    /// The end that the room decides on: `left`, `restart` or `closed`.
    func ending(_ reason: String, at time: Int) -> Expected {
        // A game without a move has no results.
        ended(reason, reason == "restart" && !dealt.hasMoves ? [] : dealt.results(at: time), at: time, gone: [])
    }

    /// `player-left` and the events around it. `reason`: `left`, `freed` or `banned`.
    func leaving(_ seat: Int, reason: String, at time: Int, gone: [Absence]) -> [Expected] {
        let steps = dealt.leaveSteps(Seat(seat), at: time)
        let results = named(applyingLeave(of: seat, at: time).dealt.results(at: time))
        let after = applying(steps.before, at: time).applyingLeave(of: seat, at: time)
        let isDeserted = after.players.allSatisfy { $0.hasLeft || $0.isComputer }
        let left = Expected(
            "player-left",
            [
                "seat": .integer(seat), "player": .string(players.first { $0.seat == seat }?.id ?? ""),
                "reason": .string(reason), "game": .string(kind.name), "mode": .string(mode),
                "number": .integer(number), "against": .string(against),
                "result": results.first { $0["seat"]?.integer == seat },
            ])
        let rest = isDeserted ? [] : steps.after
        var events = steps.before.map(Expected.init) + [left] + rest.map(Expected.init)
        let ended = after.applying(rest, at: time).endGameIfOver(at: time, gone: gone)
        events += isDeserted && ended.isEmpty ? [after.ending("left", at: time)] : ended
        return events
    }

    private func ended(_ reason: String, _ results: [PlayerResult], at time: Int, gone: [Absence]) -> Expected {
        let results = reason == "finished" ? results.map { leftIfGone($0, gone, at: time) } : results
        return Expected(
            "game-ended",
            [
                "game": .string(kind.name), "mode": .string(mode), "number": .integer(number),
                "results": .list(named(results)), "reason": .string(reason),
                "unplayed": RoomFold.isDecided(reason) && !dealt.hasMoves ? true : nil,
            ],
            // The commitment is the next game's. The fold checks what is revealed.
            open: ["commitment", "reveal"])
    }

    /// The opponents of people, as the leaderboard names them.
    private var against: String { players.count == 1 ? "alone" : humans > 1 ? "people" : "computers" }

    /// In a finished game of several people with short turns, an absent player has left.
    private func leftIfGone(_ result: PlayerResult, _ gone: [Absence], at time: Int) -> PlayerResult {
        guard humans > 1, (1..<Self.longTurn).contains(turnTime), !result.isLeftEarly,
            let absence = gone.first(where: { $0.seat == result.seat.rawValue }),
            let player = players.first(where: { $0.seat == absence.seat }), !player.isComputer, !player.isHelped
        else { return result }
        return PlayerResult(
            seat: result.seat, score: result.score, figures: result.figures,
            time: max(0, result.time - (time - absence.since)), isLeftEarly: true, place: result.place)
    }

    /// As in `game-ended`. Players who left come last, and equal ones share a place.
    private func named(_ results: [PlayerResult]) -> [Value] {
        results.map { result in
            let player = players.first { $0.seat == result.seat.rawValue }
            let place = 1 + results.count { $0.isBetter(than: result) }
            var fields: Fields = [
                "seat": .integer(result.seat.rawValue), "player": .string(player?.id ?? ""),
                "score": .integer(result.score), "place": .integer(place),
            ]
            fields = fields.merging(result.figures)
            fields["time"] = .integer(result.time)
            if result.isLeftEarly { fields["left"] = true }
            if player?.wasHelped == true { fields["helped"] = true }
            if player?.isComputer == true { fields["bot"] = true }
            return .object(fields)
        }
    }
}

extension PlayerResult {
    fileprivate func isBetter(than other: PlayerResult) -> Bool {
        guard isLeftEarly == other.isLeftEarly else { return other.isLeftEarly }
        guard let place, let others = other.place else { return score > other.score }
        return place < others
    }
}

extension Expected {
    init(_ step: GameStep) {
        self.init(step.type, all: step.fields)
        if case .known(let fields, _) = step.sealed { sealed = fields }
    }
}
