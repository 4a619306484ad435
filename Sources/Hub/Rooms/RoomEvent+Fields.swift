import Cryptography
import Games

// How a room's events stand in the log and on the wire.
extension RoomEvent {
    var type: String {
        switch self {
        case .opened: "room-opened"
        case .seatTaken: "seat-taken"
        case .seatFreed: "seat-freed"
        case .playerLeft: "player-left"
        case .seatHelped: "seat-helped"
        case .seatReturned: "seat-returned"
        case .hostChanged: "host-changed"
        case .playerMuted: "player-muted"
        case .playerBanned: "player-banned"
        case .optionsChanged: "options-changed"
        case .dealing: "dealing"
        case .ready: "ready"
        case .gameStarted: "game-started"
        case .clockExtended: "clock-extended"
        case .gameEnded: "game-ended"
        case .closed: "room-closed"
        case .game(let happening): happening.type
        }
    }

    /// What everybody sees, besides `v`, `t` and `type`.
    var fields: Fields {
        switch self {
        case .opened(let opening): return opening.fields
        case .seatTaken(let seated): return seated.fields
        case .seatFreed(let seat, let player, let departure):
            return SeatedPlayer(seat: seat, player: player).fields.merging(["reason": .string(departure.rawValue)])
        case .playerLeft(let leaving): return leaving.fields
        case .seatHelped(let seat, let level): return ["seat": .integer(seat.rawValue), "level": .string(level)]
        case .seatReturned(let seat): return ["seat": .integer(seat.rawValue)]
        case .hostChanged(let player): return ["player": .string(player)]
        case .playerMuted(let player, let isOn), .playerBanned(let player, let isOn):
            return ["player": .string(player), "on": .bool(isOn)]
        case .optionsChanged(let options): return ["options": .object(options)]
        case .dealing(let dealing): return dealing.fields
        case .ready(let seat, let nonce, let next):
            var fields: Fields = ["seat": .integer(seat.rawValue), "nonce": .string(nonce.bytes.hex)]
            if let next { fields["commitment"] = .string(next.hex) }
            return fields
        case .gameStarted(let start): return start.fields
        case .clockExtended(let span, let until, let deadline):
            var fields: Fields = ["ms": .integer(span), "until": .integer(until)]
            if let deadline { fields["deadline"] = .integer(deadline) }
            return fields
        case .gameEnded(let end): return end.fields
        case .closed(let reveal): return reveal.map { ["reveal": .object($0.fields)] } ?? [:]
        case .game(let happening): return happening.fields
        }
    }

    /// What never leaves the hub.
    var sealed: [UInt8]? {
        switch self {
        case .opened(let opening): opening.seed?.bytes
        case .gameEnded(let end): end.seed?.bytes
        default: nil
        }
    }

    /// Reads an event back; nil if its fields do not fit. A type that is none of a room's own is taken to be a game's.
    init?(type: String, fields: Fields, sealed: [UInt8]?) {
        let event: RoomEvent? =
            switch type {
            case "room-opened": Opening(fields, sealed).map { .opened($0) }
            case "seat-taken": SeatedPlayer(fields).map { .seatTaken($0) }
            case "seat-freed": Self.seatFreed(fields)
            case "player-left": Leaving(fields).map { .playerLeft($0) }
            case "seat-helped":
                if let seat = Seat(fields), let level = fields["level"]?.string {
                    .seatHelped(seat, level: level)
                } else {
                    nil
                }
            case "seat-returned": Seat(fields).map { .seatReturned($0) }
            case "host-changed": fields["player"]?.string.map { .hostChanged($0) }
            case "player-muted", "player-banned": Self.restriction(type, fields)
            case "options-changed": fields["options"]?.object.map { .optionsChanged($0) }
            case "dealing": Dealing(fields).map { .dealing($0) }
            case "ready": Self.ready(fields)
            case "game-started": GameStart(fields).map { .gameStarted($0) }
            case "clock-extended": Self.clockExtended(fields)
            case "game-ended": GameEnd(fields, sealed).map { .gameEnded($0) }
            case "room-closed": .closed(reveal: fields["reveal"]?.object.flatMap { Reveal($0) })
            default: .game(Happening(type: type, fields: fields))
            }
        guard let event else { return nil }
        self = event
    }

    private static func seatFreed(_ fields: Fields) -> RoomEvent? {
        guard let seated = SeatedPlayer(fields), let departure = Departure(fields) else { return nil }
        return .seatFreed(seated.seat, seated.player, departure)
    }

    private static func restriction(_ type: String, _ fields: Fields) -> RoomEvent? {
        guard let player = fields["player"]?.string, let isOn = fields["on"]?.bool else { return nil }
        return type == "player-muted"
            ? .playerMuted(player, isMuted: isOn) : .playerBanned(player, isBanned: isOn)
    }

    private static func ready(_ fields: Fields) -> RoomEvent? {
        guard let seat = Seat(fields), let nonce = fields["nonce"]?.string.flatMap({ Nonce(hex: $0) }),
            let next = commitment(fields)
        else { return nil }
        return .ready(seat, nonce, next: next.digest)
    }

    private static func clockExtended(_ fields: Fields) -> RoomEvent? {
        guard let span = fields["ms"]?.integer, let until = fields["until"]?.integer else { return nil }
        return .clockExtended(span: span, until: until, deadline: fields["deadline"]?.integer)
    }

    /// The field `commitment`, which may be left out; nil if it is there and no digest.
    static func commitment(_ fields: Fields) -> (digest: Digest?, Void)? {
        guard let value = fields["commitment"] else { return (nil, ()) }
        return value.string.flatMap { Digest(hex: $0) }.map { ($0, ()) }
    }
}
