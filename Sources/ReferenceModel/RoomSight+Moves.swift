import Games
import JSON

// Moves in a running game.
extension RoomSight.Game {
    /// A legal move of the seat whose turn it is, selected by `choice`; nil if it cannot move now.
    public func someMove(_ choice: Int) -> RoomSight.Move? {
        legalMoves.isEmpty ? nil : RoomSight.Move(legalMoves[choice % legalMoves.count])
    }

    /// A clearly good move, if there is one: it turns up the twin of a card that was seen, or wins at once.
    public func goodMove() -> RoomSight.Move? {
        (fold.kind.isDealt ? knownPair : winningMove).map(RoomSight.Move.init)
    }

    private var legalMoves: [GameStep] { fold.turn.map(fold.legalMoves) ?? [] }

    /// Turns up a card whose twin is up, or one of two twins that have been seen.
    private var knownPair: GameStep? {
        func face(_ move: GameStep) -> String? { move.fields["cell"]?.integer.flatMap { fold.seenFaces[$0] } }
        let (moves, up) = (legalMoves, fold.view["up"]?.integers?.first)
        if let up { return moves.first { face($0) == fold.seenFaces[up] } }
        var seen: Set<String> = []
        return moves.first { face($0).map { !seen.insert($0).inserted } ?? false }
    }

    private var winningMove: GameStep? {
        guard let turn = fold.turn else { return nil }
        return legalMoves.first { move in
            fold.decide(move, by: turn, at: 0).map { fold.applying($0, at: 0).dealt.outcome != nil } ?? false
        }
    }
}

extension RoomSight.Move {
    fileprivate init(_ step: GameStep) {
        self.init(type: step.type, fields: String(decoding: JSONWriter.followers(step.fields), as: UTF8.self))
    }
}
