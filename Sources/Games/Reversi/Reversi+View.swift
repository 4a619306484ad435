import JSON

extension Reversi {
    /// The game as everyone sees it:
    /// - `options`; `seats`: both, in order; `black`: the one that began;
    /// - `cells`: 64, row by row, each the seat of its disc or null;
    /// - `deadline`?: when the time of the seat to move runs out; `legal`: the cells where that seat may place a disc,
    ///   none once the game is over;
    /// - `counts`: an object from each seat, as text, to the number of its discs;
    /// - `moves`: the game so far, in the usual notation; `last`?: {cell, flips} of the newest disc;
    /// - `out`: {seat, reason: `time`, `resigned` or `left`} of the player with whom a game ended early, in a list.
    ///
    /// In events: `place-disc` puts a disc of `seat` on `cell` and on each of `flips`, removes `deadline`, and gives
    /// the turn to the other player; `pass` gives the turn back; `turn` sets or removes `deadline`. `turn-expired`,
    /// `resigned` and `player-left` add to `out` and remove `deadline`; `clock-extended` moves it.
    public var view: Fields {
        var view: Fields = [
            "options": .object(setup.options), "seats": .integers(players.map(\.rawValue)),
            "black": .integer(black.rawValue),
            "cells": .list((0..<64).map { holder(of: $0).map { .integer($0.rawValue) } ?? .null }),
        ]
        view["deadline"] = deadline.map { .integer($0) }
        view["legal"] = .integers(isOver ? [] : position.moves.cells)
        view["counts"] = .object(
            Fields(players.map { (String($0.rawValue), .integer(discs(of: $0).nonzeroBitCount)) }))
        view["moves"] = .string(notation)
        if let last = placed.last {
            view["last"] = .object(["cell": .integer(Int(last)), "flips": .integers(flipped.cells)])
        }
        view["out"] = .list(end.map { [.object($0.fields)] } ?? [])
        return view
    }

    private func holder(of cell: Int) -> Seat? {
        let disc = UInt64(1) << UInt64(cell)
        return players.first { discs(of: $0) & disc != 0 }
    }

    public var hasMoves: Bool { !placed.isEmpty }

    /// Scores are discs; `tournament` also counts the empty cells for the winner. A player who ran out of time or
    /// resigned has lost, no matter what the discs say, so places are given explicitly.
    public func results(at time: Milliseconds) -> [PlayerResult] {
        let empty = position.emptyCount
        return players.map { seat in
            let own = discs(of: seat).nonzeroBitCount
            let others = discs(of: other(than: seat)).nonzeroBitCount
            let balance = end.map { $0.loser == seat ? -1 : 1 } ?? (own - others).signum()
            let tournament = balance > 0 ? own + empty : balance < 0 ? own : 32
            return PlayerResult(
                seat: seat, score: own, figures: ["tournament": .integer(tournament)],
                time: clock.timePlayed(until: time),
                isLeftEarly: end == EarlyEnd(reason: .left, loser: seat), place: balance >= 0 ? 1 : 2)
        }
    }
}
