import JSON

/// "I am still here." Ends being away, as every command of a player does before it is judged.
public struct HereCommand: OwnCommand {
    public static let type = "here"
    public static let isTheHosts = false
    public static let whileDealing = WhileDealing.isJudged

    /// For a player who has done something that is not a command.
    public init() {}

    public init(_ fields: Fields) {}

    public func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) {}
}
