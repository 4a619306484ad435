import JSON

extension ConnectFour {
    /// The game as everyone sees it:
    /// - `options`; `seats`: both, in order; `first`: the one that began;
    /// - `cells`: 42, row by row from the top, each the seat of its disc or null;
    /// - `deadline`?: when the time of the seat to move runs out;
    /// - `turns`: an object from each seat, as text, to the number of discs that it has dropped;
    /// - `moves`: the game so far, as the columns of its discs, from 1: `4453`;
    /// - `last`?: the cell of the newest disc; `line`?: the winning cells;
    /// - `out`: {seat, reason: `time`, `resigned` or `left`} of the player with whom a game ended early, in a list.
    ///
    /// In events: `drop-disc` puts a disc of `seat` on `cell`, removes `deadline`, gives the turn to the other player,
    /// and sets `line` if it has one; `turn` sets or removes `deadline`. `turn-expired`, `resigned` and `player-left`
    /// add to `out` and remove `deadline`; `clock-extended` moves it.
    public var view: Fields {
        var view: Fields = [
            "options": .object(setup.options), "seats": .integers(players.map(\.rawValue)),
            "first": .integer(first.rawValue),
            "cells": .list((0..<Board.cellCount).map { holder(of: $0).map { .integer($0.rawValue) } ?? .null }),
        ]
        view["deadline"] = deadline.map { .integer($0) }
        view["turns"] = .object(Fields(players.map { (String($0.rawValue), .integer(discCount(of: $0))) }))
        view["moves"] = .string(notation)
        if let last = drops.last {
            view["last"] = .integer(cellOfNewest(in: Int(last)))
            let line = Board.lines(of: board.other)
            if line != 0 {
                view["line"] = .integers((0..<Board.cellCount).filter { Board.bit($0) & line != 0 })
            }
        }
        view["out"] = .list(end.map { [.object($0.fields)] } ?? [])
        return view
    }

    /// The columns of all discs in order, counted from 1, as games are usually written down.
    public var notation: String { drops.map { String($0 + 1) }.joined() }

    private func discs(of seat: Seat) -> UInt64 { seat == mover ? board.own : board.other }

    private func discCount(of seat: Seat) -> Int { discs(of: seat).nonzeroBitCount }

    private func holder(of cell: Int) -> Seat? { players.first { discs(of: $0) & Board.bit(cell) != 0 } }

    /// The cell of the topmost disc of a column that has one.
    private func cellOfNewest(in column: Int) -> Int {
        board.cell(in: column).map { $0 + Board.columns } ?? column
    }

    public var hasMoves: Bool { !drops.isEmpty }

    /// The winner has 1 point and the other 0. A full board without a line is a draw with 0 for both.
    public func results(at time: Milliseconds) -> [PlayerResult] {
        let winner = end.map { other(than: $0.loser) } ?? (Board.hasLine(board.other) ? other(than: mover) : nil)
        return players.map { seat in
            PlayerResult(
                seat: seat, score: seat == winner ? 1 : 0, figures: ["turns": .integer(discCount(of: seat))],
                time: clock.timePlayed(until: time), isLeftEarly: end == EarlyEnd(reason: .left, loser: seat))
        }
    }
}
