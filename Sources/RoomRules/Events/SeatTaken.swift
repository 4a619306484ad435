import Games
import JSON

/// A player took a free seat, or the holder of a seat made another commitment. It never has a nonce.
public struct SeatTaken: OwnEvent {
    public static let type = "seat-taken"

    let seated: SeatedPlayer

    public var fields: Fields { seated.fields }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        SeatedPlayer(fields).map { Self(seated: $0) }
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        let isNew = room.seats[seated.seat] == nil
        guard room.facts.seating.seatPlayer(seated) else { return false }
        if isNew, !room.isComputer(seated.player) {
            room.facts.proposal?.noteArrival(of: seated.player, at: seated.seat)
        }
        return true
    }
}
