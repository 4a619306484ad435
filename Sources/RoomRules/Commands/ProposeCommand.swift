import Games
import JSON

/// Proposes to deal the running game again, or to play another one. Agrees to the open proposal if there is one.
struct ProposeCommand: OwnCommand {
    static let type = "propose"
    static let isTheHosts = false
    static let whileDealing = WhileDealing.isRefused

    let subject: Proposal.Subject

    init(_ fields: Fields) throws(Rejection) {
        guard let subject = fields["what"]?.string.flatMap({ Proposal.Subject(rawValue: $0) }) else {
            throw .badField("what", "restart or rematch")
        }
        self.subject = subject
    }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        let seat = try proposer(in: room, player)
        guard room.proposal == nil else {
            return try decision.answer(agrees: true, by: player, at: seat)
        }
        if let until = room.proposalPauses[player], until > decision.context.now { throw .proposedLately(until: until) }
        try decision.propose(subject, by: player, at: seat)
    }

    private func proposer(in room: RoomState, _ player: PlayerID) throws(Rejection) -> Seat {
        switch subject {
        case .restart:
            guard room.phase == .running else { throw .notRunning }
            guard let seat = room.playingSeat(of: player) else { throw .notSeated }
            return seat
        case .rematch:
            guard room.phase != .running else { throw .isRunning }
            guard room.phase == .ended else { throw .notPlayedYet }
            guard let seat = room.seat(of: player) else { throw .notSeated }
            return seat
        }
    }
}

extension Rejection {
    fileprivate static let notPlayedYet = Rejection(
        "not-played-yet", "No game has been played yet. Start the first one.")
    fileprivate static func proposedLately(until: Milliseconds) -> Rejection {
        Rejection(
            "proposed-lately", "Your last proposal failed. Make another one later.",
            values: ["until": .integer(until)])
    }
}
