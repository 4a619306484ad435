import Games
import JSON

/// Bans a player, who may then only watch, or lifts the ban.
struct BanCommand: OwnCommand {
    static let type = "ban"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.waits

    let player: PlayerID
    let isOn: Bool

    init(_ fields: Fields) throws(Rejection) {
        player = try fields.player()
        isOn = try fields.isOn()
    }

    func decide(in room: RoomState, by host: PlayerID, _ decision: Decision) throws(Rejection) {
        try room.checkOutcast(player, room.banned, isOn: isOn, decision.context)
        guard room.banned.contains(player) != isOn else { return }
        decision.add(PlayerBanned(player: player, isBanned: isOn))
        if isOn, let seat = room.seat(of: player) { room.depart(seat, .banned, decision) }
    }
}
