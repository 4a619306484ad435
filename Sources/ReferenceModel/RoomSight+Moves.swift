import Games
import JSON

// Moves in a running game.
extension RoomSight.Game {
    /// A legal move of `seat`, selected by `choice`; nil if it cannot move now.
    public func someMove(of seat: Int, _ choice: Int) -> RoomSight.Move? {
        let moves = legalMoves(of: seat)
        return moves.isEmpty ? nil : RoomSight.Move(moves[choice % moves.count])
    }

    /// A clearly good move, if there is one: it turns up the twin of a card that was seen, or wins at once.
    public func goodMove(of seat: Int) -> RoomSight.Move? {
        (fold.kind.isDealt ? knownPair(for: seat) : winningMove(of: seat)).map(RoomSight.Move.init)
    }

    private func legalMoves(of seat: Int) -> [GameStep] { fold.awaited.contains(seat) ? fold.legalMoves(of: seat) : [] }

    /// Turns up a card whose twin is up, or one of two twins that have been seen.
    private func knownPair(for seat: Int) -> GameStep? {
        func face(_ move: GameStep) -> String? { move.fields["cell"]?.integer.flatMap { fold.seenFaces[$0] } }
        let (moves, up) = (legalMoves(of: seat), fold.view["up"]?.integers?.first)
        if let up { return moves.first { face($0) == fold.seenFaces[up] } }
        var seen: Set<String> = []
        return moves.first { face($0).map { !seen.insert($0).inserted } ?? false }
    }

    private func winningMove(of seat: Int) -> GameStep? {
        legalMoves(of: seat).first { move in
            fold.decide(move, by: seat, at: 0).map { fold.applying($0, at: 0).dealt.outcome != nil } ?? false
        }
    }
}

extension RoomSight.Move {
    fileprivate init(_ step: GameStep) {
        self.init(type: step.type, fields: String(decoding: JSONWriter.followers(step.fields), as: UTF8.self))
    }
}
