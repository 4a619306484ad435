import Games
import JSON

/// Takes a seat from its holder.
struct FreeCommand: OwnCommand {
    static let type = "free"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.waits

    let seat: Seat

    init(_ fields: Fields) throws(Rejection) { seat = try fields.seat() }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard let holder = room.seats[seat] else { throw .seatIsFree(seat, count: room.seatCount) }
        guard room.phase != .running || room.isComputer(holder) || room.isGone(seat, decision.context) else {
            throw .playerIsThere(seat)
        }
        room.depart(seat, .freed, decision)
    }
}

extension Rejection {
    fileprivate static func seatIsFree(_ seat: Seat, count: Int) -> Rejection {
        (0..<count).contains(seat.rawValue)
            ? Rejection("seat-free", "Seat \(seat.rawValue) is free.", values: ["seat": .integer(seat.rawValue)])
            : .noSuchSeat(seat, count: count)
    }
}
