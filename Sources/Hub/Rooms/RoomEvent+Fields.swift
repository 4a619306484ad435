import Cryptography
import Games

// How a room's events stand in the log and on the wire.
extension RoomEvent {
    /// A room's own events, as in the log and on the wire. No game has one of the same name.
    enum Kind: String, CaseIterable {
        case opened = "room-opened"
        case seatTaken = "seat-taken"
        case seatFreed = "seat-freed"
        case playerLeft = "player-left"
        case seatHelped = "seat-helped"
        case seatReturned = "seat-returned"
        case hostChanged = "host-changed"
        case playerMuted = "player-muted"
        case playerBanned = "player-banned"
        case optionsChanged = "options-changed"
        case dealing
        case ready
        case gameStarted = "game-started"
        case clockExtended = "clock-extended"
        case gameEnded = "game-ended"
        case closed = "room-closed"
    }

    var type: String {
        switch self {
        case .opened: Kind.opened.rawValue
        case .seatTaken: Kind.seatTaken.rawValue
        case .seatFreed: Kind.seatFreed.rawValue
        case .playerLeft: Kind.playerLeft.rawValue
        case .seatHelped: Kind.seatHelped.rawValue
        case .seatReturned: Kind.seatReturned.rawValue
        case .hostChanged: Kind.hostChanged.rawValue
        case .playerMuted: Kind.playerMuted.rawValue
        case .playerBanned: Kind.playerBanned.rawValue
        case .optionsChanged: Kind.optionsChanged.rawValue
        case .dealing: Kind.dealing.rawValue
        case .ready: Kind.ready.rawValue
        case .gameStarted: Kind.gameStarted.rawValue
        case .clockExtended: Kind.clockExtended.rawValue
        case .gameEnded: Kind.gameEnded.rawValue
        case .closed: Kind.closed.rawValue
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
        guard let kind = Kind(rawValue: type) else {
            self = .game(Happening(type: type, fields: fields))
            return
        }
        let event: RoomEvent? =
            switch kind {
            case .opened: Opening(fields, sealed).map { .opened($0) }
            case .seatTaken: SeatedPlayer(fields).map { .seatTaken($0) }
            case .seatFreed: Self.seatFreed(fields)
            case .playerLeft: Leaving(fields).map { .playerLeft($0) }
            case .seatHelped: Self.seatHelped(fields)
            case .seatReturned: Seat(fields).map { .seatReturned($0) }
            case .hostChanged: fields["player"]?.string.map { .hostChanged($0) }
            case .playerMuted: Self.restriction(fields).map { .playerMuted($0.player, isMuted: $0.isOn) }
            case .playerBanned: Self.restriction(fields).map { .playerBanned($0.player, isBanned: $0.isOn) }
            case .optionsChanged: fields["options"]?.object.map { .optionsChanged($0) }
            case .dealing: Dealing(fields).map { .dealing($0) }
            case .ready: Self.ready(fields)
            case .gameStarted: GameStart(fields).map { .gameStarted($0) }
            case .clockExtended: Self.clockExtended(fields)
            case .gameEnded: GameEnd(fields, sealed).map { .gameEnded($0) }
            case .closed: .closed(reveal: fields["reveal"]?.object.flatMap { Reveal($0) })
            }
        guard let event else { return nil }
        self = event
    }

    private static func seatFreed(_ fields: Fields) -> RoomEvent? {
        guard let seated = SeatedPlayer(fields), let departure = Departure(fields) else { return nil }
        return .seatFreed(seated.seat, seated.player, departure)
    }

    private static func seatHelped(_ fields: Fields) -> RoomEvent? {
        guard let seat = Seat(fields), let level = fields["level"]?.string else { return nil }
        return .seatHelped(seat, level: level)
    }

    private static func restriction(_ fields: Fields) -> (player: PlayerID, isOn: Bool)? {
        guard let player = fields["player"]?.string, let isOn = fields["on"]?.bool else { return nil }
        return (player, isOn)
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
