import Games
import JSON

/// A seat became free between games, or its holder did not play in the running one.
public struct SeatFreed: OwnEvent {
    public static let type = "seat-freed"

    let seat: Seat
    let player: PlayerID
    let departure: DepartureReason

    public var fields: Fields {
        SeatedPlayer(seat: seat, player: player).fields.merging(["reason": .string(departure.rawValue)])
    }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let seated = SeatedPlayer(fields), let departure = DepartureReason(fields) else { return nil }
        return Self(seat: seated.seat, player: seated.player, departure: departure)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.seats[seat] == player else { return false }
        room.facts.seating.free(seat)
        room.facts.proposal?.forget(seat)
        return true
    }
}
