import Games
import JSON

/// Mutes a player in chat, or unmutes the player.
struct MuteCommand: OwnCommand {
    static let type = "mute"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.isJudged

    let player: PlayerID
    let isOn: Bool

    init(_ fields: Fields) throws(Rejection) {
        player = try fields.player()
        isOn = try fields.isOn()
    }

    func decide(in room: RoomState, by host: PlayerID, _ decision: Decision) throws(Rejection) {
        try room.checkOutcast(player, room.muted, isOn: isOn, decision.context)
        if room.muted.contains(player) != isOn { decision.add(PlayerMuted(player: player, isMuted: isOn)) }
    }
}
