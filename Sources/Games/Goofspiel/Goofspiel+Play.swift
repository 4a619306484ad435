// The events of commands, of the clock and of players who leave.
extension Goofspiel {
    /// Each card of the hand.
    public func legalCommands(for seat: Seat) -> [Command] {
        awaited.contains(seat) ? cards(of: seat).values.map { .bid(card: $0) } : []
    }

    public func opening(at time: Milliseconds) -> [Event] { following(at: time) }

    public func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard !isOver else { throw .notRunning }
        guard playing.contains(seat) else { throw .notYourTurn }
        switch command {
        case .resign: return commit([.resigned(seat)], at: now)
        case .bid(let card):
            guard awaited.contains(seat) else { throw .notYourTurn }
            guard (1...setup.cards).contains(card) else { throw .noSuchCard(card, cards: setup.cards) }
            guard cards(of: seat).contains(card) else { throw .cardIsUsed(card) }
            return commit([.bidSealed(seat, card: card)], at: now)
        }
    }

    /// Each player who has not bid is late. Those who were late too often go out until one player is left.
    public func wake(at now: Milliseconds) -> [Event] {
        guard let deadline, now >= deadline else { return [] }
        return commit(undecided.map { .turnExpired($0) }, at: now)
    }

    public func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) {
        var rest = self
        rest.applyLeaving(of: seat, at: now)
        return ([], rest.following(at: now))
    }

    /// `events`, as long as the game runs, and all that follow them.
    private func commit(_ events: [Event], at now: Milliseconds) -> [Event] {
        var (rest, happened) = (self, [Event]())
        for event in events where !rest.isOver {
            happened.append(event)
            rest.apply(event, at: now)
        }
        return happened + rest.following(at: now)
    }

    /// The events up to the next bid.
    private func following(at now: Milliseconds) -> [Event] {
        var (rest, events) = (self, [Event]())
        while let event = rest.next(at: now), rest.fits(event) {
            events.append(event)
            rest.apply(event, at: now)
        }
        return events
    }

    /// The event that must come next; nil if the game waits for bids, if it is over, or if the prizes or a bid are not
    /// known.
    private func next(at now: Milliseconds) -> Event? {
        guard !isOver else { return nil }
        guard prize != nil else {
            return prizes.map { .prizeShown($0[rounds.count], deadline: setup.turnTime.deadline(from: now)) }
        }
        guard undecided.isEmpty else { return nil }
        let bids = playing.compactMap { seat -> Bid? in
            switch pending[seat] {
            case .sealed(let card): card.map { Bid(seat: seat, card: $0, isLate: false) }
            case .late: cards(of: seat).lowest.map { Bid(seat: seat, card: $0, isLate: true) }
            case nil: nil
            }
        }
        return bids.count == playing.count ? .bidsShown(bids, winner: Self.winner(of: bids), stake: stake) : nil
    }
}

extension Rejection {
    static func noSuchCard(_ card: Int, cards: Int) -> Rejection {
        Rejection(
            "no-such-card", "There is no card \(card). Cards are numbered from 1 to \(cards).",
            values: ["card": .integer(card), "range": .integers([1, cards])])
    }

    static func cardIsUsed(_ card: Int) -> Rejection {
        Rejection("card-is-used", "You have already used this card.", values: ["card": .integer(card)])
    }
}
