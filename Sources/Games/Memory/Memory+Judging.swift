/// The events of commands, deadlines and players who leave. Nothing here changes the state.
extension Memory {
    public func opening(at time: Milliseconds) -> [Event] {
        race == nil ? [turn(of: current, at: time)] : [.turns(players.map(\.seat))]
    }

    public func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard !isOver else { throw .notRunning }
        switch command {
        case .flip(let cell):
            guard let index = index(of: seat), mayTurn(index) else { throw .notYourTurn }
            return if let race { try flip(cell, by: index, in: race, at: now) } else { try flip(cell, at: now) }
        case .shuffle: return try shuffle(by: seat)
        }
    }

    /// Whether it is this player's turn. In a race that is always so.
    func mayTurn(_ index: Int) -> Bool { race == nil ? index == current : !players[index].isLeft }

    /// A flip of each face-down card.
    public func legalCommands(for seat: Seat) -> [Command] {
        guard awaited.contains(seat) else { return [] }
        return cards.indices.filter { cards[$0].side == .down }.map { .flip(cell: $0) }
    }

    /// The player whose turn it is, until two cards are up or the turn is over. In a race all who may turn up a card.
    public var awaited: Set<Seat> {
        if let race { return awaited(in: race) }
        return isOver || upNext != nil || secondUp != nil ? [] : [players[current].seat]
    }

    public var deadline: Milliseconds? {
        if isOver { return nil }
        if let race { return race.until.compactMap(\.self).min() }
        return revealUntil ?? turnDeadline
    }

    public func wake(at now: Milliseconds) -> [Event] {
        guard let deadline, now >= deadline else { return [] }
        if let race { return wake(race, at: now) }
        var due = hiding(isScored: true)
        if revealUntil == nil {
            let player = players[current]
            due.append(.turnExpired(player.seat))
            if player.expiredTurns + 1 >= Memory.expiredTurnsUntilAway { due.append(.away(player.seat)) }
        }
        var (rest, events) = (self, [Event]())
        for event in due where !rest.isOver {
            rest.apply(event, at: now)
            events.append(event)
        }
        return rest.isOver ? events : events + [rest.nextTurn(at: now)]
    }

    public func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) {
        guard let index = index(of: seat), !players[index].isLeft, !isOver else { return ([], []) }
        if let race { return (hiding(of: index, in: race, isScored: false).map { [$0] } ?? [], []) }
        guard index == current else { return ([], []) }
        var rest = self
        let before = hiding(isScored: false)
        for event in before { rest.apply(event, at: now) }
        rest.applyLeaving(of: seat, at: now)
        return (before, rest.isOver ? [] : [rest.nextTurn(at: now)])
    }

    public func isAway(_ seat: Seat) -> Bool {
        guard let index = index(of: seat) else { return false }
        return players[index].isAway && !players[index].isLeft && !isOver
    }

    /// While everyone is away the turn has no deadline. The first player to come back gets it, since the others are
    /// skipped.
    public func act(_ seat: Seat, at now: Milliseconds) -> [Event] {
        guard isAway(seat), let index = index(of: seat) else { return [] }
        return isStanding ? [.back(seat), turn(of: index, at: now)] : [.back(seat)]
    }

    private func flip(_ cell: Int, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard secondUp == nil else { throw .waitForReveal }
        try checkIsDown(cell)
        let seat = players[current].seat
        let bonus = bonus(at: now)
        let shown = Event.showCard(cell: cell, face: deck[cell], seat: seat, bonus: bonus)
        guard let first = firstUp, deck[first] == deck[cell] else { return [shown] }
        let scores = scoresAfterMatch(by: current, bonus: bonus ?? 0)
        let match = Event.match(first: first, second: cell, seat: seat, scores: scores)
        if pairsLeft == 1 { return [shown, match] }
        return [shown, match, setup.turnRule == .again ? turn(of: current, at: now) : nextTurn(at: now)]
    }

    /// Throws unless a face-down card is on `cell`.
    func checkIsDown(_ cell: Int) throws(Rejection) {
        guard cards.indices.contains(cell) else { throw .noSuchCell(cell, cells: cards.count) }
        switch cards[cell].side {
        case .gap: throw .noSuchCell(cell, cells: cards.count)
        case .up: throw .cardIsUp(cell)
        case .won: throw .cardIsWon(cell)
        case .down: break
        }
        precondition(!deck.isEmpty, "a fold of the public log cannot judge without the deck")
    }

    /// Turns the cards that are up down again; empty if there are none. A single card scores nothing, and neither do
    /// two if their player leaves before they turn back.
    private func hiding(isScored: Bool) -> [Event] {
        guard let firstUp else { return [] }
        let scores = secondUp.flatMap { isScored ? scoresAfterMismatch(firstUp, $0, by: current) : nil } ?? scores
        return [.hideCard(first: firstUp, second: secondUp, scores: scores)]
    }
}

extension Rejection {
    static let waitForReveal = Rejection("wait-for-reveal", "Wait for the cards to flip back.")

    static func noSuchCell(_ cell: Int, cells: Int) -> Rejection {
        Rejection(
            "no-such-cell", "There is no card on cell \(cell). Cells are numbered from 0 to \(cells - 1).",
            values: ["cell": .integer(cell), "range": .integers([0, cells - 1])])
    }

    static func cardIsUp(_ cell: Int) -> Rejection {
        Rejection("card-is-up", "This card is already face up.", values: ["cell": .integer(cell)])
    }

    static func cardIsWon(_ cell: Int) -> Rejection {
        Rejection("card-is-won", "This card is already matched.", values: ["cell": .integer(cell)])
    }
}
