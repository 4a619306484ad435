extension MemoryModel {
    func opening(at time: Int) -> [GameEvent] { [turn(of: current, time)] }
    func wasHelped(_ seat: Int) -> Bool { players.index(of: seat).map { players[$0].wasHelped } ?? false }

    func verdict(on command: GameCommand, by seat: Int, at time: Int, gone: [Absence]) -> Verdict {
        guard !isOver else { return .refused(code: "not-running", values: []) }
        switch command {
        case .flip(let cell): return flip(cell, by: seat, at: time, gone)
        case .shuffle: return shuffle(by: seat)
        case .here: return .events(back(seat, at: time))
        case .place, .drop, .resign: return .refused(code: "unknown-type", values: [])
        }
    }

    private func flip(_ cell: Int, by seat: Int, at time: Int, _ gone: [Absence]) -> Verdict {
        guard seat == turn else { return .refused(code: "not-your-turn", values: []) }
        guard second < 0 else { return .refused(code: "wait-for-reveal", values: []) }
        guard sides.indices.contains(cell), sides[cell] != Side.gap else {
            let range = JSON.numbers([0, board.cells - 1])
            return .refused(code: "no-such-cell", values: [.init("cell", .number(cell)), .init("range", range)])
        }
        if sides[cell] != Side.down {
            let code = sides[cell] == Side.up ? "card-is-up" : "card-is-won"
            return .refused(code: code, values: [.init("cell", .number(cell))])
        }
        let bonus = first >= 0 && rule.hasBonus ? bonus(at: time) : nil
        let shown = GameEvent.showCard(cell: cell, face: face(cell), seat: seat, bonus: bonus)
        guard first >= 0, cards[first] == cards[cell] else { return .events([shown]) }
        var scores = scores
        scores[current].number += rule.match(bonus: bonus ?? 0)
        let match = GameEvent.match(first: first, second: cell, seat: seat, scores: scores)
        if pairsLeft > 1 {
            return .events([shown, match, isAlternating ? nextTurn(at: time) : turn(of: current, time)])
        }
        var after = self
        after.apply(shown, at: time)
        after.apply(match, at: time)
        return .events([shown, match, after.end("finished", at: time, gone)])
    }

    /// The whole seconds that are left of five, rounded up.
    private func bonus(at time: Int) -> Int {
        guard let bonusFrom else { return 0 }
        return min(5, max(0, (5_000 - (time - bonusFrom) + 999) / 1_000))
    }

    private func shuffle(by seat: Int) -> Verdict {
        guard seat == turn else { return .refused(code: "not-your-turn", values: []) }
        guard second < 0 else { return .refused(code: "wait-for-reveal", values: []) }
        guard first < 0 else { return .refused(code: "attempt-under-way", values: []) }
        guard players.remaining == 1 || !hands[current].hasShuffled else {
            return .refused(code: "already-shuffled", values: [])
        }
        var draw = draw
        return .events([.cardsShuffled(seat: seat, moves: shuffledMoves(&draw))])
    }

    private func back(_ seat: Int, at time: Int) -> [GameEvent] {
        guard let index = players.index(of: seat), hands[index].isAway else { return [] }
        // Nobody was there for the turn to go to.
        let isNext = !hands.indices.contains { isPresent($0) }
        return isNext ? [.back(seat: seat), turn(of: index, time)] : [.back(seat: seat)]
    }

    func lapse(at time: Int, gone: [Absence]) -> [GameEvent] {
        guard let due, due <= time else { return [] }
        if revealUntil != nil, !stallsWithThisTurn { return hiding(isScored: true) + [nextTurn(at: time)] }
        var (after, events) = (self, hiding(isScored: true))
        for event in events { after.apply(event, at: time) }
        if revealUntil == nil {
            let expired = GameEvent.turnExpired(seat: turn)
            events.append(expired)
            after.apply(expired, at: time)
            if hands[current].expired == 2, !after.isStalled {
                let away = GameEvent.away(seat: turn)
                events.append(away)
                after.apply(away, at: time)
            }
        }
        events.append(after.isStalled ? after.end("stalled", at: time, gone) : after.nextTurn(at: time))
        return events
    }

    func leaving(_ seat: Int, reason: String, at time: Int, gone: [Absence]) -> [GameEvent] {
        guard let index = players.index(of: seat) else { return [] }
        var (after, events) = (self, index == current ? hiding(isScored: false) : [])
        for event in events { after.apply(event, at: time) }
        var departure = Departure(
            seat: seat, player: players[index].player, reason: reason, game: game, mode: mode,
            number: started["number"]?.number ?? 0, against: players.against, result: results(at: time)[index])
        after.apply(.playerLeft(departure), at: time)
        departure.result = after.results(at: time)[index]
        events.append(.playerLeft(departure))
        if after.players.humansRemaining == 0 {
            events.append(after.end("left", at: time, gone))
        } else if index == current {
            events.append(after.nextTurn(at: time))
        }
        return events
    }

    func ending(reason: String, at time: Int, gone: [Absence]) -> GameEvent { end(reason, at: time, gone) }

    /// What is up goes down; nothing where nothing is.
    private func hiding(isScored: Bool) -> [GameEvent] {
        guard first >= 0 else { return [] }
        var scores = scores
        if isScored, second >= 0 {
            let known = (isKnown[first] ? 1 : 0) + (isKnown[second] ? 1 : 0)
            scores[current].number = rule.mismatch(scores[current].number, known: known)
        }
        return [.hideCard(first: first, second: second >= 0 ? second : nil, scores: scores)]
    }

    /// To the next who has not left, passing over who is away; if all are away it stays where it is, and no time runs.
    private func nextTurn(at time: Int) -> GameEvent {
        for step in 1...hands.count where isPresent((current + step) % hands.count) {
            return turn(of: (current + step) % hands.count, time)
        }
        var index = current
        while players[index].playedFor != nil, players.remaining > 0 { index = (index + 1) % hands.count }
        return .turn(seat: players[index].seat, deadline: nil)
    }

    private func turn(of index: Int, _ time: Int) -> GameEvent {
        .turn(seat: players[index].seat, deadline: turnTime > 0 ? time + turnTime : nil)
    }

    private func end(_ reason: String, at time: Int, _ gone: [Absence]) -> GameEvent {
        let standing = reason == "restart" && !hasMoved || reason == "fault" ? [] : results(at: time)
        let isPlayed = reason == "finished"
        let results = isPlayed ? players.leave(standing, gone, at: time, turnTime: turnTime) : standing
        return .gameEnded(
            Ending(
                game: game, mode: mode, number: started["number"]?.number ?? 0,
                results: placed(results) { $0.score > $1.score }, reason: reason, reveal: players.reveal(serverSeed)))
    }

    /// As things stand, in the order of turns.
    private func results(at time: Int) -> [GameResult] {
        let standing = hands.indices.map { index in
            var result = players.result(index, score: scores[index].number, time: max(0, time - startedAt))
            result.turns = hands[index].turns
            result.pairs = hands[index].won
            return result
        }
        return placed(standing) { $0.score > $1.score }
    }

    // MARK: Who plays

    func someMove(_ choice: Int) -> GameCommand? {
        guard !isOver, second < 0 else { return nil }
        let cells = sides.count
        for step in 0..<cells where sides[(choice + step) % cells] == Side.down {
            return .flip(cell: (choice + step) % cells)
        }
        return nil
    }

    func goodMove(_ choice: Int) -> GameCommand? {
        guard !isOver, second < 0 else { return nil }
        if first >= 0 {
            let twin = cards.indices.first { $0 != first && cards[$0] == cards[first] }
            return twin.flatMap { isKnown[$0] ? .flip(cell: $0) : nil }
        }
        var seen = [Int](repeating: -1, count: 256)
        for cell in sides.indices where sides[cell] == Side.down && isKnown[cell] {
            if seen[Int(cards[cell])] >= 0 { return .flip(cell: cell) }
            seen[Int(cards[cell])] = cell
        }
        return nil
    }
}
