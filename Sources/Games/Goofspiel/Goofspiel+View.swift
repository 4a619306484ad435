import JSON

extension Goofspiel {
    /// The game as everyone sees it:
    /// - `options`; `seats`: all players, in the order of turns; `cards`: how many each player has at the start;
    /// - `prize`?: the one that all bid for; `stake`: the sum of it and of those that no one won before it; `prizes`:
    ///   those that were not turned up yet, ascending;
    /// - `hands`: an object from each seat, as text, to the cards that the player has not shown yet, ascending. A bid
    ///   stays there until it is shown;
    /// - `bidders`: the seats that have bid in this round, in the order of turns;
    /// - `rounds`: {prize, stake, bids: an object from each seat that bid, as text, to its card, winner?} of each round
    ///   so far; `scores`: an object from each seat, as text, to the sum of the stakes that it won;
    /// - `deadline`?: when the time for bids runs out;
    /// - `late`: an object from each seat, as text, of which the latest bids ran out of time, to their number;
    /// - `out`: {seat, reason: `time`, `resigned` or `left`} of each player who is out, in the order in which they
    ///   went out.
    ///
    /// In events: `prize-shown` sets `prize`, takes it from `prizes`, adds it to `stake`, sets or removes `deadline`
    /// and sets `awaited` to all seats that are not in `out`. `bid-sealed` adds its seat to `bidders` and removes it
    /// from `late` and `awaited`. `turn-expired` adds 1 to `late`. At 3, and by `resigned` and `player-left`, a seat
    /// that is not in `out` is added to it and removed from `late`, `bidders` and `awaited`. If only one is left,
    /// `deadline` is removed and `awaited` emptied. `bids-shown` adds to `rounds`, takes its cards from `hands`,
    /// removes `prize` and `deadline` and empties `bidders` and `awaited`; if it has a `winner`, the score of that seat
    /// grows by `stake`, which is then 0. `clock-extended` moves `deadline`.
    public var view: Fields {
        var view: Fields = [
            "options": .object(setup.options), "seats": .integers(players.map(\.rawValue)),
            "cards": .integer(setup.cards),
        ]
        view["prize"] = prize.map { .integer($0) }
        view["stake"] = .integer(stake)
        view["prizes"] = .integers(prizesLeft.values)
        view["hands"] = .object(
            Fields(players.map { (String($0.rawValue), .integers(cards(of: $0).values)) }))
        view["bidders"] = .integers(players.filter { hasBid($0) }.map(\.rawValue))
        view["rounds"] = .list(rounds.map { .object($0.fields) })
        view["scores"] = scores
        view["deadline"] = deadline.map { .integer($0) }
        let lateSeats = players.filter { late[$0] != nil }
        view["late"] = .object(Fields(lateSeats.map { (String($0.rawValue), .integer(late[$0] ?? 0)) }))
        view["out"] = out
        return view
    }

    /// `cards`: those that the player has not shown and not bid, ascending; `bid`?: the one that is sealed. The cards
    /// follow from public events; a fold of the public log has no hands because it does not know the bid.
    public func hand(of seat: Seat) -> Fields? {
        guard prizes != nil, players.contains(seat) else { return nil }
        guard case .sealed(let card?) = pending[seat] else { return ["cards": .integers(cards(of: seat).values)] }
        return ["cards": .integers(cards(of: seat).removing(card).values), "bid": .integer(card)]
    }

    public var outcome: Outcome? {
        isOver ? Outcome(reason: earlyReason ?? .finished, results: results(at: clock.latest)) : nil
    }
}

extension Goofspiel.Round {
    /// As in `rounds` of the view.
    fileprivate var fields: Fields {
        var fields: Fields = [
            "prize": .integer(prize), "stake": .integer(stake),
            "bids": .object(Fields(bids.map { (String($0.seat.rawValue), .integer($0.card)) })),
        ]
        fields["winner"] = winner.map { .integer($0.rawValue) }
        return fields
    }
}
