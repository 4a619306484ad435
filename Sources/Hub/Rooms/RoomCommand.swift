import Games

/// What somebody asks of a room.
enum RoomCommand: Equatable, Sendable {
    /// A seat, or the first free one.
    case sit(Seat?)
    case leave
    case options(Fields)
    case start
    case again
    /// "I am still here": ends being away.
    case here
    case close
    /// The running game's own, by name.
    case game(type: String, fields: Fields)

    /// The command that a client's message names: nil if neither the room nor its game has one of that name.
    init?(type: String, fields: Fields, game: (any Game.Type)?) throws(Rejection) {
        switch type {
        case "sit":
            switch fields["seat"] {
            case nil, .null: self = .sit(nil)
            case .integer(let seat): self = .sit(Seat(seat))
            default: throw .wrongField("seat", "a number")
            }
        case "leave": self = .leave
        case "options":
            guard let options = fields["options"]?.object else { throw .wrongField("options", "an object") }
            self = .options(options)
        case "start": self = .start
        case "again": self = .again
        case "here": self = .here
        case "close": self = .close
        default:
            guard let game, game.hasCommand(type) else { return nil }
            self = .game(type: type, fields: fields)
        }
    }
}

extension Rejection {
    static func wrongField(_ name: String, _ wanted: String) -> Rejection {
        Rejection("wrong-field", "`\(name)` must be \(wanted).", values: ["field": .string(name)])
    }

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
    static func unknownGame(_ name: String) -> Rejection {
        let names = GameList.all.map { $0.name }
        return Rejection(
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
        Rejection(
            "player-count", "This game needs \(range.lowerBound) to \(range.upperBound) players; \(count) are seated.",
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
