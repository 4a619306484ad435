import Cryptography
import Games
import JSON

/// The names and seats of a game.
protocol GameNames: Sendable {
    static var events: [String] { get }
    static var commands: [String] { get }
    static var seats: ClosedRange<Int> { get }
}

extension GameNames {
    static var events: [String] { ["stepped"] }
    static var commands: [String] { ["step"] }
    static var seats: ClosedRange<Int> { 1...4 }
}

enum PlainNames: GameNames {}

/// A game with names but without rules: no step is ever legal, and it never ends.
struct NamedGame<Names: GameNames>: Game {
    struct Setup: GameSetup {
        let options: Fields = [:]
        let fields: Fields = [:]
        let mode = "plain"

        init() {}
        init?(options: Fields, fields: Fields) {}
    }

    struct Command: GameCommand {
        struct Kind: RawRepresentable, CaseIterable {
            static var allCases: [Kind] { Names.commands.map { Kind(rawValue: $0) } }
            let rawValue: String
        }

        let fields: Fields = [:]
        var kind: Kind { Kind.allCases[0] }

        init(_ kind: Kind, fields: Fields) {}
    }

    struct Event: GameEvent {
        struct Kind: RawRepresentable, CaseIterable {
            static var allCases: [Kind] { Names.events.map { Kind(rawValue: $0) } }
            let rawValue: String
        }

        var kind: Kind { Kind.allCases[0] }
    }

    struct Computer: ComputerPlayer {
        static var levels: [String] { ["only"] }

        init(level: String, seat: Seat, seed: Digest) {}
        func see(_ event: Event, in game: PublicGame<NamedGame<Names>>) {}
        func move(in game: PublicGame<NamedGame<Names>>, hand: Fields?, isStopped: () -> Bool) -> Command? { nil }
    }

    static var name: String { "named" }
    static var seats: ClosedRange<Int> { Names.seats }
    static var isDealt: Bool { false }

    static func options(_ asked: Fields) -> Fields { asked }
    static func setup(_ options: Fields, players: Int, draw: inout RandomWords) -> Setup { Setup() }

    let awaited: Set<Seat>
    let deadline: Milliseconds? = nil
    let outcome: Outcome? = nil
    let view: Fields = [:]
    let hasMoves = false

    init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) { awaited = [first] }

    func opening(at time: Milliseconds) -> [Event] { [] }
    func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        throw .notYourTurn
    }
    func legalCommands(for seat: Seat) -> [Command] { [] }
    func wake(at now: Milliseconds) -> [Event] { [] }
    func apply(_ event: Event, at time: Milliseconds) {}
    func applyLeaving(of seat: Seat, at time: Milliseconds) {}
    func extendClock(by span: Milliseconds) {}
    func fields(of event: Event) -> Fields { [:] }
    func event(_ kind: Event.Kind, fields: Fields) -> Event? { nil }
    func results(at time: Milliseconds) -> [PlayerResult] { [] }
}
