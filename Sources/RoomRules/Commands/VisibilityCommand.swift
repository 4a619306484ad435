import Games
import JSON

/// Lists show the room from now on, or no longer.
struct VisibilityCommand: OwnCommand {
    static let type = "visibility"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.isJudged

    let visibility: Visibility

    init(_ fields: Fields) throws(Rejection) { visibility = try Visibility(fields["visibility"]) }

    func decide(in room: RoomState, by host: PlayerID, _ decision: Decision) throws(Rejection) {
        if room.visibility != visibility { decision.add(VisibilityChanged(visibility: visibility)) }
    }
}
