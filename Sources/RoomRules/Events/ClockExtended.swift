import Games
import JSON

/// Time in which the room could not be played does not count.
public struct ClockExtended: OwnEvent {
    public static let type = "clock-extended"

    /// The time that does not count.
    public let span: Milliseconds
    /// It includes all outages up to here.
    let until: Milliseconds
    /// The room's next deadline, already moved.
    let deadline: Milliseconds?

    public var fields: Fields {
        var fields: Fields = ["ms": .integer(span), "until": .integer(until)]
        if let deadline { fields["deadline"] = .integer(deadline) }
        return fields
    }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let span = fields["ms"]?.integer, let until = fields["until"]?.integer else { return nil }
        return Self(span: span, until: until, deadline: fields["deadline"]?.integer)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.extendedUntil = max(room.extendedUntil, until)
        room.usedAt &+= span
        room.facts.dealing?.deadline &+= span
        room.facts.proposal?.deadline &+= span
        if room.phase == .running { room.game?.extendClock(by: span) }
        return true
    }
}
