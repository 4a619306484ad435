import Cryptography
import Games

// How a room's events stand in the log and on the wire: written by `shown`, read by `init`, each kind by name in both.
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

    /// What everybody sees of it: its type, and its fields besides `v`, `t` and `type`.
    var shown: (type: String, fields: Fields) {
        func own(_ kind: Kind, _ fields: Fields) -> (type: String, fields: Fields) { (kind.rawValue, fields) }
        switch self {
        case .opened(let opening): return own(.opened, opening.fields)
        case .seatTaken(let seated): return own(.seatTaken, seated.fields)
        case .seatFreed(let seat, let player, let departure):
            let seated = SeatedPlayer(seat: seat, player: player)
            return own(.seatFreed, seated.fields.merging(["reason": .string(departure.rawValue)]))
        case .playerLeft(let leaving): return own(.playerLeft, leaving.fields)
        case .seatHelped(let seat, let level):
            return own(.seatHelped, ["seat": .integer(seat.rawValue), "level": .string(level)])
        case .seatReturned(let seat): return own(.seatReturned, ["seat": .integer(seat.rawValue)])
        case .hostChanged(let player): return own(.hostChanged, ["player": .string(player)])
        case .playerMuted(let player, let isOn):
            return own(.playerMuted, ["player": .string(player), "on": .bool(isOn)])
        case .playerBanned(let player, let isOn):
            return own(.playerBanned, ["player": .string(player), "on": .bool(isOn)])
        case .optionsChanged(let options): return own(.optionsChanged, ["options": .object(options)])
        case .dealing(let dealing): return own(.dealing, dealing.fields)
        case .ready(let seat, let nonce, let next):
            var fields: Fields = ["seat": .integer(seat.rawValue), "nonce": .string(nonce.bytes.hex)]
            if let next { fields["commitment"] = .string(next.hex) }
            return own(.ready, fields)
        case .gameStarted(let start): return own(.gameStarted, start.fields)
        case .clockExtended(let span, let until, let deadline):
            var fields: Fields = ["ms": .integer(span), "until": .integer(until)]
            if let deadline { fields["deadline"] = .integer(deadline) }
            return own(.clockExtended, fields)
        case .gameEnded(let end): return own(.gameEnded, end.fields)
        case .closed(let reveal): return own(.closed, reveal.map { ["reveal": .object($0.fields)] } ?? [:])
        case .game(let step): return (step.type, step.fields)
        }
    }

    var type: String { shown.type }

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
            self = .game(GameStep(type: type, fields: fields))
            return
        }
        let event: RoomEvent? =
            switch kind {
            case .opened: Opening(fields, sealed).map { .opened($0) }
            case .seatTaken: SeatedPlayer(fields).map { .seatTaken($0) }
            case .seatFreed:
                both(SeatedPlayer(fields), DepartureReason(fields)).map { .seatFreed($0.seat, $0.player, $1) }
            case .playerLeft: Leaving(fields).map { .playerLeft($0) }
            case .seatHelped: both(Seat(fields), fields["level"]?.string).map { .seatHelped($0, level: $1) }
            case .seatReturned: Seat(fields).map { .seatReturned($0) }
            case .hostChanged: fields["player"]?.string.map { .hostChanged($0) }
            case .playerMuted:
                both(fields["player"]?.string, fields["on"]?.bool).map { .playerMuted($0, isMuted: $1) }
            case .playerBanned:
                both(fields["player"]?.string, fields["on"]?.bool).map { .playerBanned($0, isBanned: $1) }
            case .optionsChanged: fields["options"]?.object.map { .optionsChanged($0) }
            case .dealing: Dealing(fields).map { .dealing($0) }
            case .ready: Self.ready(fields)
            case .gameStarted: GameStart(fields).map { .gameStarted($0) }
            case .clockExtended:
                both(fields["ms"]?.integer, fields["until"]?.integer)
                    .map { .clockExtended(span: $0, until: $1, deadline: fields["deadline"]?.integer) }
            case .gameEnded: GameEnd(fields, sealed).map { .gameEnded($0) }
            case .closed: .closed(reveal: fields["reveal"]?.object.flatMap { Reveal($0) })
            }
        guard let event else { return nil }
        self = event
    }

    private static func ready(_ fields: Fields) -> RoomEvent? {
        guard let seat = Seat(fields), let nonce = fields["nonce"]?.string.flatMap({ Nonce(hex: $0) }),
            let next = commitment(fields)
        else { return nil }
        return .ready(seat, nonce, next: next.digest)
    }

    /// The field `commitment`, which may be left out; nil if it is there and no digest.
    static func commitment(_ fields: Fields) -> (digest: Digest?, Void)? {
        guard let value = fields["commitment"] else { return (nil, ()) }
        return value.string.flatMap { Digest(hex: $0) }.map { ($0, ()) }
    }
}

/// Nil where either is.
private func both<One, Other>(_ one: One?, _ other: Other?) -> (One, Other)? {
    guard let one, let other else { return nil }
    return (one, other)
}
