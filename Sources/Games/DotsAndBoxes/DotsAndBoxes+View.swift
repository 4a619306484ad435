import JSON

extension DotsAndBoxes {
    /// The game as everyone sees it:
    /// - `options`; `seats`: all players, in the order of turns; `size`: dots a side;
    /// - `lines`: for each line the seat that drew it or null, first the horizontal lines, row by row (`size` rows of
    ///   `size` - 1), then the vertical ones (`size` - 1 rows of `size`);
    /// - `boxes`: for each box, row by row, the seat that completed it or null;
    /// - `deadline`?: when the time of the seat to move runs out;
    /// - `scores`: an object from each seat, as text, to the number of its boxes; `last`?: the newest line;
    /// - `out`: {seat, reason: `time`, `resigned` or `left`} of each player who is out, in the order in which they
    ///   went out.
    ///
    /// In events: `draw-line` gives `line` and its `boxes` to `seat`, adds to `scores`, sets `last` and removes
    /// `deadline`; if it has no `boxes`, the turn goes to the next of `seats` that is not in `out`. `turn` sets or
    /// removes `deadline`. `turn-expired`, `resigned` and `player-left` of a seat that is not in `out` add to it; if it
    /// was the seat's turn they remove `deadline`, and the turn goes to the next. The game is over if only one is left;
    /// then `deadline` is removed, too. `clock-extended` moves it.
    public var view: Fields {
        func holders(_ seats: [Seat?]) -> Value { .list(seats.map { $0.map { .integer($0.rawValue) } ?? .null }) }
        var view: Fields = [
            "options": .object(setup.options), "seats": .integers(players.map(\.rawValue)),
            "size": .integer(grid.size), "lines": holders(lines), "boxes": holders(boxes),
        ]
        view["deadline"] = deadline.map { .integer($0) }
        view["scores"] = scores
        view["last"] = last.map { .integer($0) }
        view["out"] = out
        return view
    }

    public var hasMoves: Bool { drawn != 0 }

    public var outcome: Outcome? {
        isOver ? Outcome(reason: earlyReason ?? .finished, results: results(at: clock.latest)) : nil
    }
}
