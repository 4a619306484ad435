import Games

/// Begins a game with those who are seated.
struct StartCommand: OwnCommand {
    static let type = "start"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.isRefused

    init(_ fields: Fields) {}

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        try room.startNext(decision)
    }
}
