import Cryptography
import Games
import JSON

/// What somebody asks of a room.
public enum RoomCommand: Sendable {
    /// What can be asked of any room, whatever its game.
    case own(any OwnCommand)
    /// The running game's own, by name.
    case game(GameStep)

    /// All kinds of a room's own commands. No game has one of the same name.
    static let ownKinds: [any OwnCommand.Type] = [
        SitCommand.self, LeaveCommand.self, OptionsCommand.self, VisibilityCommand.self, StartCommand.self,
        ProposeCommand.self, AnswerCommand.self, ReadyCommand.self, HereCommand.self, BotCommand.self,
        FreeCommand.self, MuteCommand.self, BanCommand.self, CloseCommand.self,
    ]

    /// All that can be asked of a room, in any of these games, and what can be said in it.
    public static func names(with games: [any Game.Type]) -> [String] {
        ownKinds.map { $0.type } + ChatMessageKind.allCases.map(\.rawValue) + games.flatMap { $0.commandTypes }
    }

    private static let kindsByType = Dictionary(uniqueKeysWithValues: ownKinds.map { ($0.type, $0) })

    /// The command that a client's message names: nil if neither the room nor its game has one of that name.
    public init?(type: String, fields: Fields, game: (any Game.Type)?) throws(Rejection) {
        guard let kind = Self.kindsByType[type] else {
            guard let game, game.hasCommand(type) else { return nil }
            self = .game(GameStep(type: type, fields: fields))
            return
        }
        self = .own(try kind.init(fields))
    }

    /// Whether it is judged only once the game that is being dealt has begun.
    public var waitsForTheDeal: Bool {
        switch self {
        case .own(let command): type(of: command).whileDealing == .waits
        case .game: false
        }
    }
}

/// One kind of a room's own commands: how it is called and read, who may give it when, and what it leads to.
public protocol OwnCommand: Sendable {
    /// As a client sends it: `sit`.
    static var type: String { get }
    /// Whether anybody else than the host is refused.
    static var isTheHosts: Bool { get }
    /// What becomes of it while a game is being dealt.
    static var whileDealing: WhileDealing { get }

    /// What a client sent beside `type` and `id`; throws if it does not fit.
    init(_ fields: Fields) throws(Rejection)

    /// What it leads to in `room`, which is open, by a player who is not banned: put into `decision`, and nothing where
    /// all is as asked already.
    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection)
}

public enum WhileDealing: Sendable {
    /// For the game to begin.
    case waits
    case isRefused
    /// As at any other time.
    case isJudged
}

// The fields that several commands have.
extension Fields {
    /// `seat`, which may be left out.
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

    /// `commitment`, which may be left out.
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

    /// `on`: left out, it is.
    func isOn() throws(Rejection) -> Bool {
        switch self["on"] {
        case nil, .null: true
        case .bool(let isOn): isOn
        default: throw .badField("on", "true or false")
        }
    }

    /// Longer than any id is.
    private static let playerIDLimit = 40
}

extension Rejection {
    public static func unknownType(_ type: String) -> Rejection {
        Rejection(
            "unknown-type", "There is no command `\(type.prefix(40))`.",
            values: ["command": .string(String(type.prefix(40)))])
    }

    public static let notSeated = Rejection("not-seated", "You have no seat in this game.")
    public static let noName = Rejection(
        "no-name", "Only players with a name can do this: register one and send its token in `hello`.")
    static let notHost = Rejection("not-host", "Only the host of the room can do this.")
    static let notRunning = Rejection("not-running", "No game is running.")
    static let isRunning = Rejection("game-running", "You can do this only between games.")
    static let roomClosed = Rejection("room-closed", "This room is closed.")
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
            "no-such-seat", "There are \(count) seats: 0 to \(count - 1).",
            values: ["seat": .integer(seat.rawValue), "range": .integers([0, count - 1])])
    }
    static func playerCount(_ count: Int, range: ClosedRange<Int>) -> Rejection {
        let needed = range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
        return Rejection(
            "player-count", "This game needs \(needed) players. Seats taken: \(count).",
            values: ["players": .integer(count), "range": .integers([range.lowerBound, range.upperBound])])
    }
    public static let helloFirst = Rejection(
        "hello-first", "Send `hello` first. It says who you are and what you have seen.")
    public static let unknownToken = Rejection("unknown-token", "No player has this token. You are a spectator.")
    /// `what` there are too many of.
    public static func tooFast(_ limit: Int, _ what: String) -> Rejection {
        Rejection("too-fast", "At most \(limit) \(what) a second.", values: ["limit": .integer(limit)])
    }
    public static let logUnavailable = Rejection(
        "log-unavailable", "The hub cannot write its log right now. Nothing has changed. Try again soon.")
    /// `type`: of an event.
    public static func olderNode(_ type: String) -> Rejection {
        Rejection(
            "older-node",
            "The hub is being upgraded, and part of it cannot read `\(type)` yet. Try again later.",
            values: ["event": .string(type)])
    }
    public static let busy = Rejection("busy", "Too many commands are waiting in this room. Try again.")
    public static let hubBusy = Rejection("busy", "The hub is busy. Nothing has changed. Try again.")
}
