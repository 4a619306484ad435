import Games

/// Says yes or no to what is proposed; by who proposed it, a no takes it back.
struct AnswerCommand: OwnCommand {
    static let type = "answer"
    static let isTheHosts = false
    static let whileDealing = WhileDealing.isRefused

    let agrees: Bool

    init(_ fields: Fields) throws(Rejection) {
        guard let agrees = fields["agrees"]?.bool else { throw .badField("agrees", "true or false") }
        self.agrees = agrees
    }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard room.proposal != nil else { throw .nothingProposed }
        guard let seat = room.seat(of: player) else { throw .notSeated }
        try decision.answer(agrees: agrees, by: seat)
    }
}

extension Rejection {
    fileprivate static let nothingProposed = Rejection("nothing-proposed", "Nothing is proposed just now.")
}
