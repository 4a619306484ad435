// The events of commands, of the clock and of players who leave.
extension GoFish {
    /// Each rank of the hand, asked of each other player who has a card; none in a fold of the public log.
    public func legalCommands(for seat: Seat) -> [Command] {
        guard let deck, awaited.contains(seat) else { return [] }
        let ranks = deck.hand(of: seat).ranks
        return playing(after: seat).filter { $0 != seat && count(of: $0) > 0 }
            .flatMap { other in ranks.map { .ask(other, rank: $0.name) } }
    }

    public func opening(at time: Milliseconds) -> [Event] { following(at: time) }

    public func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard !isOver else { throw .notRunning }
        guard playing.contains(seat) else { throw .notYourTurn }
        switch command {
        case .resign: return commit(.resigned(seat), at: now)
        case .ask(let asked, let name):
            guard seat == mover else { throw .notYourTurn }
            guard let rank = Rank(name) else { throw .noSuchRank(name) }
            guard asked != seat, playing.contains(asked) else { throw .noSuchPlayer(asked) }
            guard count(of: asked) > 0 else { throw .hasNoCards(asked) }
            guard let deck, deck.hand(of: seat).count(of: rank) > 0 else { throw .rankNotHeld(rank) }
            return commit(.cardsAsked(seat, of: asked, rank, count: deck.hand(of: asked).count(of: rank)), at: now)
        }
    }

    public func wake(at now: Milliseconds) -> [Event] {
        guard !awaited.isEmpty, let deadline, now >= deadline else { return [] }
        return commit(.turnExpired(mover), at: now)
    }

    public func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) {
        var rest = self
        rest.applyLeaving(of: seat, at: now)
        return ([], rest.following(at: now))
    }

    /// `event` and all that follow it.
    private func commit(_ event: Event, at now: Milliseconds) -> [Event] {
        var rest = self
        rest.apply(event, at: now)
        return [event] + rest.following(at: now)
    }

    /// The events up to the next question.
    private func following(at now: Milliseconds) -> [Event] {
        var (rest, events) = (self, [Event]())
        while let event = rest.next(at: now), rest.fits(event) {
            events.append(event)
            rest.apply(event, at: now)
        }
        return events
    }

    /// The event that must come next; nil if the game waits for a question, or if it is over.
    private func next(at now: Milliseconds) -> Event? {
        if isOver { return nil }
        if stage == .fishing { return .cardDrawn(mover, deck?.top == last?.rank ? last?.rank : nil) }
        if let book = completedBook { return .book(book.seat, book.rank) }
        if let seat = emptyHanded { return .cardDrawn(seat, nil) }
        if stage == .asking { return nil }
        return nextMover.map { .turn(seat: $0, deadline: setup.turnTime.deadline(from: now)) }
    }
}

extension Rejection {
    static func noSuchRank(_ asked: String) -> Rejection {
        // Cut, since a text that is no rank may be as long as a message.
        let name = String(asked.prefix(40))
        let ranks = GoFish.Rank.all.map(\.name).joined(separator: ", ")
        return Rejection(
            "no-such-rank", "There is no rank \(name). The ranks are \(ranks).", values: ["rank": .string(name)])
    }

    /// Also for the player who asks, and for one who is out.
    static func noSuchPlayer(_ seat: Seat) -> Rejection {
        Rejection(
            "no-such-player", "No other player at seat \(seat.rawValue) can be asked.",
            values: ["seat": .integer(seat.rawValue)])
    }

    static func hasNoCards(_ seat: Seat) -> Rejection {
        Rejection("has-no-cards", "This player has no cards.", values: ["seat": .integer(seat.rawValue)])
    }

    static func rankNotHeld(_ rank: GoFish.Rank) -> Rejection {
        Rejection(
            "rank-not-held", "You can only ask for a rank that you have. You have no \(rank.name).",
            values: ["rank": .string(rank.name)])
    }
}
