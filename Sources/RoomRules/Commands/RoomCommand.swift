import Cryptography
import Games
import JSON

/// A command to a room.
public enum RoomCommand: Sendable {
    /// A command that rooms of every game have.
    case own(any OwnCommand)
    /// A command of the running game.
    case game(GameStep)

    /// All kinds of a room's own commands. No game has one of the same name.
    static let ownKinds: [any OwnCommand.Type] = [
        SitCommand.self, LeaveCommand.self, OptionsCommand.self, VisibilityCommand.self, StartCommand.self,
        ProposeCommand.self, AnswerCommand.self, ReadyCommand.self, HereCommand.self, BotCommand.self,
        FreeCommand.self, MuteCommand.self, BanCommand.self, CloseCommand.self,
    ]

    /// The types of all commands and chat messages in rooms of these games.
    public static func names(with games: [any Game.Type]) -> [String] {
        ownKinds.map { $0.type } + ChatMessageKind.allCases.map(\.rawValue) + games.flatMap { $0.commandTypes }
    }

    private static let kindsByType = Dictionary(uniqueKeysWithValues: ownKinds.map { ($0.type, $0) })

    /// Reads a command; nil if neither the room nor its game has one of this type. Throws if its fields do not fit.
    public init?(type: String, fields: Fields, game: (any Game.Type)?) throws(Rejection) {
        guard let kind = Self.kindsByType[type] else {
            guard let game, game.hasCommand(type) else { return nil }
            self = .game(GameStep(type: type, fields: fields))
            return
        }
        self = .own(try kind.init(fields))
    }

    /// Whether it waits for a game that is being dealt to begin.
    public var waitsForTheDeal: Bool {
        switch self {
        case .own(let command): type(of: command).whileDealing == .waits
        case .game: false
        }
    }
}

/// One kind of a room's own commands: its type and fields, who may give it and when, and its result.
public protocol OwnCommand: Sendable {
    /// As a client sends it: `sit`.
    static var type: String { get }
    /// Whether only the host may give it.
    static var isTheHosts: Bool { get }
    /// What happens to it while a game is being dealt.
    static var whileDealing: WhileDealing { get }

    /// Reads what a client sent besides `type` and `id`; throws if it does not fit.
    init(_ fields: Fields) throws(Rejection)

    /// Adds its events to `decision`, or none if everything is already as asked. `room` is open, and the player is not
    /// banned.
    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection)
}

/// What happens to a command while a game is being dealt.
public enum WhileDealing: Sendable {
    /// It waits for the game to begin.
    case waits
    /// It is refused as `dealing`.
    case isRefused
    /// It is judged as at any other time.
    case isJudged
}

// Fields that several commands have.
extension Fields {
    /// `seat`, which may be missing.
    func anySeat() throws(Rejection) -> Seat? {
        switch self["seat"] {
        case nil, .null: nil
        case .integer(let seat): Seat(seat)
        default: throw .badField("seat", "a whole number")
        }
    }

    func seat() throws(Rejection) -> Seat {
        guard let seat = try anySeat() else { throw .badField("seat", "a whole number") }
        return seat
    }

    /// `commitment`, which may be missing.
    func commitment() throws(Rejection) -> Digest? {
        switch self["commitment"] {
        case nil, .null: return nil
        case .string(let text):
            guard let digest = Digest(hex: text) else { throw .badField("commitment", "64 hexadecimal digits") }
            return digest
        default: throw .badField("commitment", "64 hexadecimal digits")
        }
    }

    func player() throws(Rejection) -> PlayerID {
        guard let player = self["player"]?.string, !player.isEmpty, player.utf8.count <= Self.playerIDLimit else {
            throw .badField("player", "a player's id")
        }
        return player
    }

    /// `on`; true if it is missing.
    func isOn() throws(Rejection) -> Bool {
        switch self["on"] {
        case nil, .null: true
        case .bool(let isOn): isOn
        default: throw .badField("on", "true or false")
        }
    }

    /// In bytes. No id is longer.
    private static let playerIDLimit = 40
}

extension Rejection {
    /// No command here has this type.
    public static func unknownType(_ type: String) -> Rejection {
        Rejection(
            "unknown-type", "There is no command `\(type.prefix(40))`.",
            values: ["command": .string(String(type.prefix(40)))])
    }

    static let notSeated = Rejection("not-seated", "You have no seat in this game.")
    /// The command needs a player.
    public static let noName = Rejection(
        "no-name", "Only players with a name can do this. Register one and send its token in `hello`.")
    static let notHost = Rejection("not-host", "Only the host of the room can do this.")
    static let isRunning = Rejection("game-running", "You can do this only between games.")
    static let roomClosed = Rejection("room-closed", "This room is closed.")
    /// `names` are the hub's games.
    public static func unknownGame(_ name: String, there names: [String]) -> Rejection {
        Rejection(
            "unknown-game", "There is no game `\(name.prefix(40))`. The games are \(names.joined(separator: ", ")).",
            values: ["games": .strings(names)])
    }
    static func seatTaken(_ seat: Seat) -> Rejection {
        Rejection("seat-taken", "Seat \(seat.rawValue) is taken.", values: ["seat": .integer(seat.rawValue)])
    }
    static func noSuchSeat(_ seat: Seat, count: Int) -> Rejection {
        Rejection(
            "no-such-seat", "There are \(count) seats, 0 to \(count - 1).",
            values: ["seat": .integer(seat.rawValue), "range": .integers([0, count - 1])])
    }
    static func playerCount(_ count: Int, range: ClosedRange<Int>) -> Rejection {
        let needed = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        return Rejection(
            "player-count", "This game needs \(needed) players. Seats taken: \(count).",
            values: ["players": .integer(count), "range": .integers([range.lowerBound, range.upperBound])])
    }
    /// Any other message came before `hello`.
    public static let helloFirst = Rejection(
        "hello-first", "Send `hello` first. It says who you are and what you have seen.")
    /// The client stays connected, as a spectator.
    public static let unknownToken = Rejection("unknown-token", "No player has this token. You are a spectator.")
    /// `what` is plural: `commands`.
    public static func tooFast(_ limit: Int, _ what: String) -> Rejection {
        Rejection("too-fast", "At most \(limit) \(what) a second.", values: ["limit": .integer(limit)])
    }
    /// Nothing was written.
    public static let logUnavailable = Rejection(
        "log-unavailable", "The hub cannot write its log right now. Nothing has changed. Try again soon.")
    /// `type` is that of an event.
    public static func olderNode(_ type: String) -> Rejection {
        Rejection(
            "older-node",
            "The hub is being upgraded, and part of it cannot read `\(type)` yet. Try again later.",
            values: ["event": .string(type)])
    }
    /// The room's queue is full.
    public static let busy = Rejection("busy", "Too many commands are waiting in this room. Try again.")
    /// The log cannot take more calls now.
    public static let hubBusy = Rejection("busy", "The hub is busy. Nothing has changed. Try again.")
}
