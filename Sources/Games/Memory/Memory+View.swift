import JSON

extension Memory {
    /// The game as everyone sees it, equal to the fold of the events up to the same version:
    /// - `columns`, `rows`, `pairs` (all that were dealt), `gap`? (the cell without a card);
    /// - `theme` {name, colour: a list of names, more than one for a gradient, kind?}, `options`: as in `game-started`;
    /// - `cells`: an object for each cell, row by row: `state` is `down`, `up`, `won` or `gap`; `face` of a card up or
    ///   won; `by`, the seat that won it. If the option `matched` is `vanish`, a page does not draw a card that was
    ///   won, but it is listed here;
    /// - `up`: the cells of the attempt that are up (none to two), in the order in which they were turned;
    /// - `seats`: all players, including those who left, in the order of turns; `away`, `left`: which of them are;
    ///   `shuffled`: who has shuffled in this game;
    /// - `mover`: whose turn it is; `deadline`?: when it runs out, in ms since 1970; absent without a timer, during the
    ///   reveal, and while all are away; `revealUntil`?: when the two cards turn back; `bonusFrom`?: when the 5 s of
    ///   the bonus started, by the rules `medium` and `hard` while one card is up;
    /// - `scores`, `turns` (attempts), `won` (pairs): objects from each seat, as text, to a number; `pairsLeft`: 0 at
    ///   the end.
    ///
    /// With `order: free` there are no `mover`, `deadline`, `revealUntil` and `bonusFrom`. `up` has all cards that are
    /// up; `attempts` is an object from each seat with cards up, as text, to {cells: in the order in which they were
    /// turned, until?: when they turn back, absent without a timer, bonusFrom?: as above, of the player's own first
    /// card}.
    ///
    /// In events: the first `show-card` of a turn adds 1 to `turns` and, by the rules `medium` and `hard`, sets
    /// `bonusFrom` = t; the second removes `deadline` and `bonusFrom` and, if the faces differ, sets `revealUntil` = t
    /// + `options.reveal`. `match` and `hide-card` empty `up` and set `scores`; `hide-card` removes `revealUntil` and
    /// `bonusFrom`. `turn-expired` removes `deadline`; `turn` sets `mover`, and sets or removes `deadline`.
    /// `cards-shuffled` adds to `shuffled`; the cells stay the same, since only face-down cards move. `player-left`
    /// adds to `left`, removes the seat from `away` and, during the player's attempt (after a first card since the last
    /// `turn` or `match`), takes 1 from `turns`. `clock-extended` moves `deadline`, `revealUntil` and `bonusFrom`.
    ///
    /// With `order: free`: `show-card` adds to `up` and to the seat's attempt. A first card starts one, adds 1 to
    /// `turns` and, if `options.turnTime` is not 0, sets `until` = t + 1000 * `options.turnTime`. A second whose mate
    /// is not up sets it to t + `options.reveal`. `match` and `hide-card` take cards out of `up` and their attempts.
    /// `clock-extended` moves every `until` and `bonusFrom`. An attempt counts even if its player leaves: `player-left`
    /// takes nothing from `turns`.
    public var view: Fields {
        var view: Fields = [
            "columns": .integer(setup.board.columns), "rows": .integer(setup.board.rows),
            "pairs": .integer(setup.board.pairs),
        ]
        view["gap"] = setup.board.gap.map { .integer($0) }
        var theme: Fields = ["name": .string(setup.themeName), "colour": .strings(setup.colour)]
        theme["kind"] = setup.kind.map { .string($0.rawValue) }
        view["theme"] = .object(theme)
        view["options"] = .object(setup.options)
        view["cells"] = .list(cards.map { .object(shown($0)) })
        view["up"] = .integers(race.map { $0.up.map(\.cell) } ?? [firstUp, secondUp].compactMap(\.self))
        view["attempts"] = race.map { attempts(in: $0) }
        view["seats"] = .integers(players.map(\.seat.rawValue))
        view["away"] = .integers(players.filter { $0.isAway && !$0.isLeft }.map(\.seat.rawValue))
        view["left"] = .integers(players.filter(\.isLeft).map(\.seat.rawValue))
        view["shuffled"] = .integers(players.filter(\.hasShuffled).map(\.seat.rawValue))
        view["mover"] = race != nil ? nil : .integer(players[current].seat.rawValue)
        view["deadline"] = turnDeadline.map { .integer($0) }
        view["revealUntil"] = revealUntil.map { .integer($0) }
        view["bonusFrom"] = bonusFrom.map { .integer($0) }
        view["scores"] = bySeat(scores)
        view["turns"] = bySeat(players.map(\.turns))
        view["won"] = bySeat(players.map(\.pairs))
        view["pairsLeft"] = .integer(pairsLeft)
        return view
    }

    public var outcome: Outcome? {
        reasonToEnd.map { Outcome(reason: $0, results: results(at: latest)) }
    }

    public func results(at time: Milliseconds) -> [PlayerResult] {
        players.map { player in
            PlayerResult(
                seat: player.seat, score: player.score,
                figures: ["turns": .integer(player.turns), "pairs": .integer(player.pairs)],
                time: player.timeUntilLeaving ?? timePlayed(until: time), isLeftEarly: player.isLeft)
        }
    }

    var isOver: Bool { reasonToEnd != nil }

    /// In the order of turns.
    var scores: [Int] { players.map(\.score) }

    private var reasonToEnd: Outcome.Reason? {
        if pairsLeft <= 0 { return .finished }
        if players.allSatisfy(\.isLeft) { return .left }
        return isStalled ? .stalled : nil
    }

    /// Whether any card has ever been turned up.
    public var hasMoves: Bool { cards.contains { $0.isSeen || $0.side == .up || $0.side == .won } }

    private func shown(_ card: Card) -> Fields {
        switch card.side {
        case .gap: ["state": "gap"]
        case .down: ["state": "down"]
        case .up: ["state": "up", "face": .string(text(of: card.face))]
        case .won:
            [
                "state": "won", "face": .string(text(of: card.face)),
                "by": .integer(players[Int(card.owner)].seat.rawValue),
            ]
        }
    }
}
