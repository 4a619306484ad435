import Games
import JSON

/// Shows the room in lists, or hides it.
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
