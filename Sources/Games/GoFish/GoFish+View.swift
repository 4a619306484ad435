import JSON

extension GoFish {
    /// The game as everyone sees it:
    /// - `options`; `seats`: all players, in the order of turns; `pond`: the number of its cards;
    /// - `cards`: an object from each seat, as text, to the number of cards in hand;
    /// - `books`: {seat, rank} of each book, in the order in which they were laid down; `scores`: an object from each
    ///   seat, as text, to the number of its books;
    /// - `deadline`?: when the time of the seat to ask runs out;
    /// - `last`?: the newest question, {seat, of, rank, count, drew?: true if a card was drawn because of it, lucky?:
    ///   true if that was of the rank asked for};
    /// - `late`: an object from each seat, as text, of which the latest turns ran out, to their number;
    /// - `out`: {seat, reason: `time`, `resigned` or `left`} of each player who is out, in the order in which they
    ///   went out.
    ///
    /// In events: `cards-asked` moves `count` cards `of` one player to `seat`, sets `last`, removes the seat from
    /// `late`, removes `deadline` and empties `awaited`. `card-drawn` moves a card from `pond` to `seat`; if the seat
    /// has just asked in vain, this sets `drew`, and with a `rank` also `lucky`. `book` adds to `books` and `scores`
    /// and takes its cards from `seat`. `turn` sets `awaited`, and sets or removes `deadline`. `turn-expired` adds 1 to
    /// `late`, removes `deadline` and empties `awaited`. At 3, and by `resigned` and `player-left`, a seat that is not
    /// in `out` is added to it and removed from `late`, and its cards go to `pond`; if it was the seat's turn, or if
    /// only one is left, `deadline` is removed and `awaited` emptied. `clock-extended` moves `deadline`.
    public var view: Fields {
        var view: Fields = [
            "options": .object(setup.options), "seats": .integers(players.map(\.rawValue)), "pond": .integer(pond),
            "cards": numbers(of: players) { count(of: $0) },
            "books": .list(
                books.map { .object(["seat": .integer($0.seat.rawValue), "rank": .string($0.rank.name)]) }),
            "scores": scores,
        ]
        view["deadline"] = deadline.map { .integer($0) }
        view["last"] = last.map { .object($0.fields) }
        view["late"] = numbers(of: players.filter { late[$0] != nil }) { late[$0] ?? 0 }
        view["out"] = out
        return view
    }

    private func numbers(of seats: [Seat], _ number: (Seat) -> Int) -> Value {
        .object(Fields(seats.map { (String($0.rawValue), .integer(number($0))) }))
    }

    /// `cards`: the names of the cards (`10♦`), ascending.
    public func hand(of seat: Seat) -> Fields? {
        guard let deck, players.contains(seat) else { return nil }
        return ["cards": .strings(deck.hand(of: seat).names)]
    }

    public var hasMoves: Bool { last != nil }

    public var outcome: Outcome? {
        guard isOver else { return nil }
        return Outcome(
            reason: earlyReason ?? (isStalled ? .stalled : .finished), results: results(at: clock.latest))
    }
}

extension GoFish.Question {
    /// As `last` of the view.
    fileprivate var fields: Fields {
        var fields: Fields = [
            "seat": .integer(asker.rawValue), "of": .integer(asked.rawValue), "rank": .string(rank.name),
            "count": .integer(count),
        ]
        if hasDrawn { fields["drew"] = true }
        if isLucky { fields["lucky"] = true }
        return fields
    }
}
