import Games
import JSON

/// Gives up the player's seat. If the host leaves, another connected player becomes host.
struct LeaveCommand: OwnCommand {
    static let type = "leave"
    static let isTheHosts = false
    static let whileDealing = WhileDealing.waits

    init(_ fields: Fields) {}

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard let seat = room.seat(of: player) else { throw .notSeated }
        room.depart(seat, .left, decision)
        if player == room.host, let next = room.successor(decision.context.attendance) {
            decision.add(HostChanged(player: next))
        }
    }
}
