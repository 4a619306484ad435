extension GameEvent {
    /// Reads an event of a game as it was recorded; nil: it is none, or a member is missing or of another kind.
    init?(_ event: JSON) {
        func seat() -> Int? { event["seat"]?.number }
        switch event["type"]?.text {
        case "turn":
            guard let seat = seat() else { return nil }
            self = .turn(seat: seat, deadline: event["deadline"]?.number)
        case "turn-expired":
            guard let seat = seat() else { return nil }
            self = .turnExpired(seat: seat)
        case "away":
            guard let seat = seat() else { return nil }
            self = .away(seat: seat)
        case "back":
            guard let seat = seat() else { return nil }
            self = .back(seat: seat)
        case "pass":
            guard let seat = seat() else { return nil }
            self = .pass(seat: seat)
        case "resigned":
            guard let seat = seat() else { return nil }
            self = .resigned(seat: seat)
        case "seat-helped":
            guard let seat = seat() else { return nil }
            self = .seatHelped(seat: seat)
        case "seat-returned":
            guard let seat = seat() else { return nil }
            self = .seatReturned(seat: seat)
        case "clock-extended":
            guard let ms = event["ms"]?.number else { return nil }
            self = .clockExtended(ms: ms)
        case "game-ended":
            guard let ending = Ending(event) else { return nil }
            self = .gameEnded(ending)
        case "player-left":
            guard let departure = Departure(event) else { return nil }
            self = .playerLeft(departure)
        default:
            guard let event = GameEvent(move: event) else { return nil }
            self = event
        }
    }

    private init?(move event: JSON) {
        func cells(_ name: String) -> [Int]? { event[name]?.list.map { $0.compactMap(\.number) } }
        let (seat, cell) = (event["seat"]?.number, event["cell"]?.number)
        switch event["type"]?.text {
        case "show-card":
            guard let seat, let cell, let face = event["face"]?.text else { return nil }
            self = .showCard(cell: cell, face: face, seat: seat, bonus: event["bonus"]?.number)
        case "match":
            guard let seat, let cells = cells("cells"), cells.count == 2, let scores = event["scores"]?.scores else {
                return nil
            }
            self = .match(first: cells[0], second: cells[1], seat: seat, scores: scores)
        case "hide-card":
            guard let cells = cells("cells"), cells.count == 1 || cells.count == 2,
                let scores = event["scores"]?.scores
            else { return nil }
            self = .hideCard(first: cells[0], second: cells.count == 2 ? cells[1] : nil, scores: scores)
        case "cards-shuffled":
            guard let seat, let moves = event["moves"]?.list else { return nil }
            self = .cardsShuffled(seat: seat, moves: moves.flatMap { $0.list?.compactMap(\.number) ?? [] })
        case "place-disc":
            guard let seat, let cell, let flips = cells("flips") else { return nil }
            self = .placeDisc(cell: cell, seat: seat, flips: flips)
        case "drop-disc":
            guard let seat, let cell else { return nil }
            self = .dropDisc(cell: cell, seat: seat, line: cells("line"))
        default: return nil
        }
    }
}

extension JSON {
    /// An object from seats to numbers.
    fileprivate var scores: [SeatNumber]? {
        members?.compactMap { member in
            guard let seat = Int(member.name), let number = member.value.number else { return nil }
            return SeatNumber(seat, number)
        }
    }
}

extension GameResult {
    init?(_ result: JSON) {
        guard let seat = result["seat"]?.number, let player = result["player"]?.text,
            let score = result["score"]?.number, let place = result["place"]?.number,
            let time = result["time"]?.number
        else { return nil }
        self.init(
            seat: seat, player: player, score: score, place: place, turns: result["turns"]?.number,
            pairs: result["pairs"]?.number, tournament: result["tournament"]?.number, time: time,
            hasLeft: result["left"]?.bool ?? false, wasHelped: result["helped"]?.bool ?? false,
            isComputer: result["bot"]?.bool ?? false)
    }
}

extension Ending {
    init?(_ event: JSON) {
        guard let game = event["game"]?.text, let mode = event["mode"]?.text, let number = event["number"]?.number,
            let results = event["results"]?.list, let reason = event["reason"]?.text
        else { return nil }
        self.init(
            game: game, mode: mode, number: number, results: results.compactMap(GameResult.init), reason: reason,
            isUnplayed: event["unplayed"] == true, reveal: event["reveal"])
    }
}

extension Departure {
    init?(_ event: JSON) {
        guard let seat = event["seat"]?.number, let player = event["player"]?.text,
            let reason = event["reason"]?.text, let game = event["game"]?.text, let mode = event["mode"]?.text,
            let number = event["number"]?.number, let against = event["against"]?.text,
            let result = event["result"].flatMap(GameResult.init)
        else { return nil }
        self.init(
            seat: seat, player: player, reason: reason, game: game, mode: mode, number: number, against: against,
            result: result)
    }
}
