import Games
import JSON

/// Says yes or no to the open proposal. A no by its proposer withdraws it.
struct AnswerCommand: OwnCommand {
    static let type = "answer"
    static let isTheHosts = false
    static let whileDealing = WhileDealing.isRefused

    let agrees: Bool
    /// The version of the proposal, so that a late answer does not count for a newer one.
    let version: Int

    init(_ fields: Fields) throws(Rejection) {
        guard let agrees = fields["agrees"]?.bool else { throw .badField("agrees", "true or false") }
        guard let version = fields["to"]?.integer else { throw .badField("to", "the version of the proposal") }
        (self.agrees, self.version) = (agrees, version)
    }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard room.proposal?.version == version else { throw .nothingProposed }
        guard let seat = room.seat(of: player) else { throw .notSeated }
        try decision.answer(agrees: agrees, by: player, at: seat)
    }
}

extension Rejection {
    fileprivate static let nothingProposed = Rejection("nothing-proposed", "There is no such proposal.")
}
