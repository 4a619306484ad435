import Games
import Records

// The ids of commits in a room's stream. Each is used once.
extension CommitID {
    /// No player's id starts with this.
    private static let ownPrefix = "hub/"

    /// A player's command, under the id that the client gave it.
    public static func command(_ player: PlayerID, _ id: String) -> CommitID { "\(player)/\(id)" }

    /// What the room does by itself after a version. Names the run, since another run may have done something else.
    public static func room(after version: Int, run: String) -> CommitID { "\(ownPrefix)\(run)/\(version)" }

    /// What a computer does at a version of the room, or what the hub does for it.
    public static func computer(at seat: Seat, version: Int, run: String) -> CommitID {
        "\(ownPrefix)\(run)/computer/\(seat.rawValue)/\(version)"
    }

    /// Whether it is a player's command. Only these may be sent again.
    var isCommand: Bool { !text.hasPrefix(Self.ownPrefix) }
}
