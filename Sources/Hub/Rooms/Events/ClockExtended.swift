import Games
import JSON

/// `span` ms in which the room could not be played do not count.
struct ClockExtended: OwnEvent {
    static let type = "clock-extended"

    let span: Milliseconds
    /// Outages up to here are in it.
    let until: Milliseconds
    /// As it is now.
    let deadline: Milliseconds?
}

extension ClockExtended {
    var fields: Fields {
        var fields: Fields = ["ms": .integer(span), "until": .integer(until)]
        if let deadline { fields["deadline"] = .integer(deadline) }
        return fields
    }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let span = fields["ms"]?.integer, let until = fields["until"]?.integer else { return nil }
        self.init(span: span, until: until, deadline: fields["deadline"]?.integer)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.extendedUntil = max(room.extendedUntil, until)
        room.usedAt &+= span
        room.facts.dealing?.deadline &+= span
        room.facts.proposal?.deadline &+= span
        if room.phase == .running { room.game?.extendClock(by: span) }
        return true
    }
}
