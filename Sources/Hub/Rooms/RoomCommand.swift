import Cryptography
import Games

/// What somebody asks of a room.
enum RoomCommand: Equatable, Sendable {
    /// A seat, or the first free one; with a commitment to a nonce for the next draw.
    case sit(Seat?, commitment: Digest?)
    case leave
    case options(Fields)
    case start
    case again
    /// Opens the nonce that was committed to, and may commit to the next.
    case ready(Nonce, next: Digest?)
    /// "I am still here": ends being away.
    case here
    /// A computer takes a seat, or plays for somebody who is not there.
    case computer(Seat, level: String)
    case free(Seat)
    case mute(PlayerID, isOn: Bool)
    case ban(PlayerID, isOn: Bool)
    case close
    /// The running game's own, by name.
    case game(type: String, fields: Fields)

    /// Whether it is judged only once the game that is being dealt has begun.
    var waitsForTheDeal: Bool {
        switch self {
        case .leave, .free, .ban, .computer, .close: true
        case .sit, .options, .start, .again, .ready, .here, .mute, .game: false
        }
    }

    /// A room's own commands, as a client sends them. No game has one of the same name.
    enum Kind: String, CaseIterable {
        case sit, leave, options, start, again, ready, here
        case computer = "bot"
        case free, mute, ban, close
    }

    /// The command that a client's message names: nil if neither the room nor its game has one of that name.
    init?(type: String, fields: Fields, game: (any Game.Type)?) throws(Rejection) {
        guard let kind = Kind(rawValue: type) else {
            guard let game, game.hasCommand(type) else { return nil }
            self = .game(type: type, fields: fields)
            return
        }
        switch kind {
        case .sit: self = .sit(try Self.seat(fields), commitment: try Self.commitment(fields))
        case .leave: self = .leave
        case .options:
            guard let options = fields["options"]?.object else { throw .badField("options", "an object") }
            self = .options(options)
        case .start: self = .start
        case .again: self = .again
        case .ready:
            guard let nonce = fields["nonce"]?.string.flatMap({ Nonce(hex: $0) }) else {
                throw .badField("nonce", "\(nonceSize) bytes as \(2 * nonceSize) hexadecimal digits")
            }
            self = .ready(nonce, next: try Self.commitment(fields))
        case .here: self = .here
        case .computer:
            guard let level = fields["level"]?.string else { throw .badField("level", "a string") }
            self = .computer(try Self.neededSeat(fields), level: level)
        case .free: self = .free(try Self.neededSeat(fields))
        case .mute: self = .mute(try Self.player(fields), isOn: try Self.isOn(fields))
        case .ban: self = .ban(try Self.player(fields), isOn: try Self.isOn(fields))
        case .close: self = .close
        }
    }

    private static func seat(_ fields: Fields) throws(Rejection) -> Seat? {
        switch fields["seat"] {
        case nil, .null: nil
        case .integer(let seat): Seat(seat)
        default: throw .badField("seat", "a whole number")
        }
    }

    private static func neededSeat(_ fields: Fields) throws(Rejection) -> Seat {
        guard let seat = try seat(fields) else { throw .badField("seat", "a whole number") }
        return seat
    }

    private static func commitment(_ fields: Fields) throws(Rejection) -> Digest? {
        switch fields["commitment"] {
        case nil, .null: return nil
        case .string(let text):
            guard let digest = Digest(hex: text) else { throw .badField("commitment", "64 hexadecimal digits") }
            return digest
        default: throw .badField("commitment", "64 hexadecimal digits")
        }
    }

    private static func player(_ fields: Fields) throws(Rejection) -> PlayerID {
        guard let player = fields["player"]?.string, !player.isEmpty, player.utf8.count <= playerIDLimit else {
            throw .badField("player", "a player's id")
        }
        return player
    }

    /// Left out, it is on.
    private static func isOn(_ fields: Fields) throws(Rejection) -> Bool {
        switch fields["on"] {
        case nil, .null: true
        case .bool(let isOn): isOn
        default: throw .badField("on", "true or false")
        }
    }

    /// Longer than any id is.
    private static let playerIDLimit = 40
}

extension Rejection {
    static func unknownType(_ type: String) -> Rejection {
        Rejection(
            "unknown-type", "There is no command `\(type.prefix(40))` here.",
            values: ["command": .string(String(type.prefix(40)))])
    }

    static let notSeated = Rejection("not-seated", "You have no seat in this game.")
    static let noName = Rejection(
        "no-name", "Only players with a name can do this: register one and say hello with its token.")
    static let notHost = Rejection("not-host", "Only the host of the room can do this.")
    static let notRunning = Rejection("not-running", "No game is running.")
    static let isRunning = Rejection("game-running", "This can be done between games only.")
    static let notPlayedYet = Rejection("not-played-yet", "There is no game to play again: start the first one.")
    static let roomClosed = Rejection("room-closed", "This room is closed.")
    static let roomFull = Rejection("room-full", "Every seat is taken: you can watch.")
    static func unknownGame(_ name: String, there names: [String]) -> Rejection {
        Rejection(
            "unknown-game", "There is no game `\(name.prefix(40))`; there is \(names.joined(separator: ", ")).",
            values: ["games": .strings(names)])
    }
    static func seatTaken(_ seat: Seat) -> Rejection {
        Rejection("seat-taken", "Seat \(seat.rawValue) is taken.", values: ["seat": .integer(seat.rawValue)])
    }
    static func noSuchSeat(_ seat: Seat, count: Int) -> Rejection {
        Rejection(
            "no-such-seat", "There are \(count) seats: 0 to \(count - 1).",
            values: ["seat": .integer(seat.rawValue), "range": .integers([0, count - 1])])
    }
    static func playerCount(_ count: Int, range: ClosedRange<Int>) -> Rejection {
        let needed = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        return Rejection(
            "player-count", "This game needs \(needed) players; seats taken: \(count).",
            values: ["players": .integer(count), "range": .integers([range.lowerBound, range.upperBound])])
    }
    static let helloFirst = Rejection(
        "hello-first", "Say hello first: it tells the hub who you are and what you have seen.")
    static let unknownToken = Rejection("unknown-token", "Nobody bears this token: you watch as a spectator.")
    static func tooFast(_ limit: Int) -> Rejection {
        Rejection("too-fast", "At most \(limit) messages a second.", values: ["limit": .integer(limit)])
    }
    static let logUnavailable = Rejection(
        "log-unavailable", "The hub cannot write its log just now: nothing has changed, try again soon.")
    static let busy = Rejection("busy", "Too many commands are waiting in this room: try again.")
}
