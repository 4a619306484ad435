import JSON

/// Ends the room for good.
struct CloseCommand: OwnCommand {
    static let type = "close"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.waits

    init(_ fields: Fields) {}

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) { decision.close() }
}
