import Games
import JSON

/// Starts the room's first game, with every seat that is taken.
struct StartCommand: OwnCommand {
    static let type = "start"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.isRefused

    init(_ fields: Fields) {}

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard room.phase != .running else { throw .isRunning }
        guard room.phase == .waiting else { throw .isPlayed }
        try decision.start(room.seats.keys.sorted(), first: nil)
    }
}

extension Rejection {
    fileprivate static let isPlayed = Rejection(
        "played-already", "This room has already played. Send `propose` for a rematch.")
}
