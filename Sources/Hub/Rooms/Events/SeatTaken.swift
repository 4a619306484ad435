import Games
import JSON

/// Also of somebody who sits there already, with another commitment. Without a nonce.
struct SeatTaken: OwnEvent {
    static let type = "seat-taken"

    let seated: SeatedPlayer
}

extension SeatTaken {
    var fields: Fields { seated.fields }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let seated = SeatedPlayer(fields) else { return nil }
        self.init(seated: seated)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        let isNew = room.seats[seated.seat] == nil
        guard room.facts.seating.take(seated) else { return false }
        if isNew, !room.isComputer(seated.player) {
            room.facts.proposal?.noteArrival(of: seated.player, at: seated.seat)
        }
        return true
    }
}
