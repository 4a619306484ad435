import Games

/// Begins another game.
struct AgainCommand: OwnCommand {
    static let type = "again"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.isRefused

    init(_ fields: Fields) {}

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard room.gameNumber > 0 else { throw .notPlayedYet }
        try room.startNext(decision)
    }
}

extension Rejection {
    fileprivate static let notPlayedYet = Rejection(
        "not-played-yet", "There is no game to play again: start the first one.")
}
