extension MemoryModel {
    mutating func apply(_ event: GameEvent, at time: Int) {
        switch event {
        case .turn(let seat, let deadline):
            current = players.index(of: seat) ?? current
            self.deadline = deadline
            (isAttempting, hasShownNew) = (false, false)
        case .showCard(let cell, _, _, _): show(cell, at: time)
        case .match(let first, let second, _, let scores): win(first, second, scores)
        case .hideCard(let first, let second, let scores): hide(first, second, scores)
        case .turnExpired:
            deadline = nil
            hands[current].expired += 1
            endTurn()
        case .away(let seat): if let index = players.index(of: seat) { hands[index].isAway = true }
        case .back(let seat):
            guard let index = players.index(of: seat) else { return }
            hands[index].isAway = false
            hands[index].expired = 0
        case .cardsShuffled(let seat, let moves):
            if let index = players.index(of: seat) { hands[index].hasShuffled = true }
            move(moves)
        case .playerLeft(let departure): leave(departure.seat, at: time)
        case .clockExtended(let ms):
            startedAt += ms
            deadline = deadline.map { $0 + ms }
            revealUntil = revealUntil.map { $0 + ms }
            bonusFrom = bonusFrom.map { $0 + ms }
        case .gameEnded: isOver = true
        case .seatHelped(let seat): players.help(seat, true)
        case .seatReturned(let seat): players.help(seat, false)
        case .placeDisc, .pass, .dropDisc, .resigned: break
        }
    }

    private mutating func show(_ cell: Int, at time: Int) {
        sides[cell] = Side.up
        hasMoved = true
        if !isKnown[cell] { hasShownNew = true }
        if first < 0 {
            first = cell
            isAttempting = true
            hands[current].turns += 1
            if rule.hasBonus { bonusFrom = time }
        } else {
            second = cell
            deadline = nil
            bonusFrom = nil
            hands[current].expired = 0
            if cards[first] != cards[cell] { revealUntil = time + reveal }
        }
    }

    private mutating func win(_ one: Int, _ other: Int, _ scores: [SeatNumber]) {
        let side = Side.won + UInt8(current)
        (sides[one], sides[other]) = (side, side)
        (first, second) = (-1, -1)
        self.scores = scores
        hands[current].won += 1
        pairsLeft -= 1
        (isAttempting, hasShownNew) = (false, false)
        for index in hands.indices { hands[index].idle = 0 }
    }

    private mutating func hide(_ one: Int, _ other: Int?, _ scores: [SeatNumber]) {
        for cell in [one, other ?? one] {
            sides[cell] = Side.down
            isKnown[cell] = true
        }
        (first, second) = (-1, -1)
        self.scores = scores
        revealUntil = nil
        bonusFrom = nil
        if other != nil { endTurn() }
    }

    /// A turn without a pair is over.
    private mutating func endTurn() {
        isStalled = stallsWithThisTurn
        if hasShownNew {
            for index in hands.indices { hands[index].idle = 0 }
        } else {
            hands[current].idle += 1
        }
    }

    /// Whether the game has stalled once this turn ends without a pair: as many turns of each to whom turns come as
    /// there are cards have shown nothing new.
    var stallsWithThisTurn: Bool {
        guard !hasShownNew, players.remaining > 1 else { return false }
        for index in hands.indices where isPresent(index) {
            guard hands[index].idle + (index == current ? 1 : 0) >= 2 * board.pairs else { return false }
        }
        return true
    }

    private mutating func move(_ moves: [Int]) {
        // What is drawn next is drawn behind this.
        _ = shuffledMoves(&draw)
        let (oldCards, oldKnown) = (cards, isKnown)
        for index in stride(from: 0, to: moves.count, by: 2) {
            cards[moves[index + 1]] = oldCards[moves[index]]
            isKnown[moves[index + 1]] = oldKnown[moves[index]]
        }
    }

    /// From, to, from, to ... of the cards that are down, as the words drawn next have it.
    func shuffledMoves(_ draw: inout Draw) -> [Int] {
        let cells = sides.indices.filter { sides[$0] == Side.down }
        var order = cells
        draw.shuffle(&order)
        // The card of the k-th cell of `order` goes to the k-th of `cells`.
        let moves = zip(order, cells).filter { $0 != $1 }.sorted { $0.0 < $1.0 }
        return moves.flatMap { [$0.0, $0.1] }
    }

    private mutating func leave(_ seat: Int, at time: Int) {
        guard let index = players.index(of: seat) else { return }
        players.leave(index, after: max(0, time - startedAt))
        hands[index].isAway = false
        if index == current, isAttempting {
            hands[index].turns -= 1
            isAttempting = false
        }
    }

    /// Plays, and is not marked away.
    func isPresent(_ index: Int) -> Bool { !hands[index].isAway && players[index].playedFor == nil }
}
