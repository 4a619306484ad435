import Games
import JSON

/// "I am still here": ends being away, as each command of a player does before it is judged.
struct HereCommand: OwnCommand {
    static let type = "here"
    static let isTheHosts = false
    static let whileDealing = WhileDealing.isJudged

    init() {}

    init(_ fields: Fields) {}

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) {}
}
