/// How events change the state, without an allocation, and without a trap even if an event does not fit.
extension Memory {
    public mutating func apply(_ event: Event, at time: Milliseconds) {
        latest = time
        guard race == nil else { return applyInRace(event, at: time) }
        switch event {
        case .showCard(let cell, let face, let seat, _): showCard(cell, face: face, seat: seat, at: time)
        case .match(let first, let second, let seat, let scores): match(first, second, seat: seat, scores: scores)
        case .hideCard(let first, let second, let scores): hideCards(first, second, scores: scores)
        case .turn(let seat, let deadline):
            guard let index = index(of: seat) else { return }
            current = index
            upNext = nil
            turnDeadline = deadline
            hasAttempt = false
            hasShownNewCard = false
        case .turnExpired(let seat):
            guard let index = index(of: seat) else { return }
            players[index].expiredTurns += 1
            turnDeadline = nil
            upNext = following
            noteTurnWithoutPair()
        case .away(let seat):
            guard let index = index(of: seat) else { return }
            players[index].isAway = true
            upNext = following
        case .back(let seat):
            guard let index = index(of: seat) else { return }
            if isStanding { upNext = index }
            players[index].isAway = false
            players[index].expiredTurns = 0
        case .cardsShuffled(let seat, let moves): shuffleCards(moves, by: seat)
        case .turns: break
        }
    }

    public mutating func applyLeaving(of seat: Seat, at time: Milliseconds) {
        latest = time
        guard let index = index(of: seat), !players[index].isLeft else { return }
        players[index].timeUntilLeaving = timePlayed(until: time)
        guard race == nil else { return }
        if index == current, hasAttempt {
            // The current attempt does not count.
            players[index].turns -= 1
            hasAttempt = false
        }
        if index == current { upNext = following }
    }

    public mutating func extendClock(by span: Milliseconds) {
        startedAt &+= span
        turnDeadline = turnDeadline.map { $0 &+ span }
        revealUntil = revealUntil.map { $0 &+ span }
        bonusFrom = bonusFrom.map { $0 &+ span }
        race?.extendClock(by: span)
    }

    func timePlayed(until time: Milliseconds) -> Milliseconds { max(0, time &- startedAt) }

    private mutating func showCard(_ cell: Int, face: UInt8, seat: Seat, at time: Milliseconds) {
        guard cards.indices.contains(cell), cards[cell].side == .down, let index = index(of: seat), secondUp == nil
        else { return }
        if !cards[cell].isSeen { hasShownNewCard = true }
        cards[cell].side = .up
        cards[cell].face = face
        guard let first = firstUp else {
            firstUp = cell
            hasAttempt = true
            players[index].turns += 1
            if setup.rule.hasBonus { bonusFrom = time }
            return
        }
        secondUp = cell
        bonusFrom = nil
        players[index].expiredTurns = 0
        // The turn's time only covers the two flips. If the faces match, `match` follows in the same commit.
        turnDeadline = nil
        if cards[first].face != face { revealUntil = time &+ setup.reveal }
    }

    private mutating func match(_ first: Int, _ second: Int, seat: Seat, scores: [Int]) {
        guard firstUp == first, secondUp == second, let index = index(of: seat) else { return }
        win(first, second, by: index, scores: scores)
        firstUp = nil
        secondUp = nil
        hasAttempt = false
        upNext = setup.turnRule == .again ? current : following
        for index in players.indices { players[index].idleTurns = 0 }
    }

    mutating func win(_ first: Int, _ second: Int, by index: Int, scores: [Int]) {
        for cell in [first, second] {
            cards[cell].side = .won
            cards[cell].owner = UInt8(truncatingIfNeeded: index)
        }
        players[index].pairs += 1
        pairsLeft -= 1
        record(scores)
    }

    private mutating func hideCards(_ first: Int, _ second: Int?, scores: [Int]) {
        guard firstUp == first, secondUp == second else { return }
        hide(first)
        firstUp = nil
        bonusFrom = nil
        record(scores)
        guard let second else { return }
        hide(second)
        secondUp = nil
        revealUntil = nil
        upNext = following
        noteTurnWithoutPair()
    }

    mutating func hide(_ cell: Int) {
        cards[cell].side = .down
        cards[cell].face = Card.noFace
        cards[cell].isSeen = true
    }

    mutating func record(_ scores: [Int]) {
        guard scores.count == players.count else { return }
        for index in players.indices { players[index].score = scores[index] }
    }

    /// A game of several players stalls once every player who gets turns has had as many turns as there are cards,
    /// while no one showed a new card or won a pair. A single player keeps no one waiting.
    private mutating func noteTurnWithoutPair() {
        guard !hasShownNewCard else {
            for index in players.indices { players[index].idleTurns = 0 }
            return
        }
        players[current].idleTurns += 1
        let limit = 2 * setup.board.pairs
        isStalled = !isAlone && players.allSatisfy { !$0.isPresent || $0.idleTurns >= limit }
    }
}
