import Cryptography
import Games
import JSON
import Records

/// A game for tests: players step in turn, and it ends after `lastStep` steps. It makes the fault that its option
/// `fault` names, at the place in the fault's comment.
typealias Mischief = MischievousGame<PlainNames>

enum MischiefFault: String, CaseIterable {
    /// The game itself refuses a step's event.
    case event
    /// A step's event has the name of a room's event, which the game has not declared.
    case name
    /// A step's event has a field that the log uses itself.
    case field
    /// A step's event has a value that JSON cannot express.
    case number
    /// It cannot read its own setup.
    case setup
    /// It cannot read its own deal, once nonces are there.
    case deal
    case opening
    /// The event at its deadline does not fit.
    case wake
    /// At its deadline nothing happens.
    case idle
    /// The event at its deadline changes nothing.
    case again
    /// Its deadline is later than any time.
    case forever
    /// The event of a player coming back does not fit.
    case act
    /// A player who is back comes back again with the next command.
    case back
    /// The event after `player-left` does not fit.
    case leave
    /// No one has a result.
    case results
    /// Its own figures have the names of the room's.
    case figures
    /// A result is for a seat that no one has.
    case stranger
    /// Its computer gives a command that is refused.
    case refused
    /// Its computer gives a command that is refused, but only once.
    case refusedOnce
    /// Its computer gives no command.
    case silent
    /// Its computer gives a command that is refused, and none is legal.
    case stuck
    /// Its computer gives a command that is refused, and so are the supposedly legal ones.
    case illegal
}

/// The game's names, and whom it waits for.
protocol MischiefNames: Sendable {
    static var game: String { get }
    static var events: [String] { get }
    static var commands: [String] { get }
    static var seats: ClosedRange<Int> { get }
    /// Whether players step in any order, and not in turn.
    static var awaitsAll: Bool { get }
}

enum PlainNames: MischiefNames {
    static let game = "mischief"
    static let events = ["stepped", "agreed"]
    static let commands = ["step"]
    static let seats = 1...4
}

extension MischiefNames {
    static var game: String { PlainNames.game }
    static var events: [String] { PlainNames.events }
    static var commands: [String] { PlainNames.commands }
    static var seats: ClosedRange<Int> { PlainNames.seats }
    static var awaitsAll: Bool { false }
}

struct MischievousGame<Names: MischiefNames>: Game {
    static var name: String { Names.game }
    static var seats: ClosedRange<Int> { Names.seats }
    static var isDealt: Bool { true }
    static var lastStep: Int { 6 }

    struct Setup: GameSetup {
        let fault: MischiefFault?
        var options: Fields { fault.map { ["fault": .string($0.rawValue)] } ?? [:] }
        var fields: Fields = ["board": "plain"]
        var mode: String { "plain" }

        init(fault: MischiefFault?) { self.fault = fault }
        init?(options: Fields, fields: Fields) {
            guard fields["board"] == "plain" else { return nil }
            fault = options["fault"]?.string.flatMap { MischiefFault(rawValue: $0) }
        }
        func dealt(from seed: Digest) -> Self {
            var dealt = self
            if fault == .deal { dealt.fields = ["board": "odd"] }
            return dealt
        }
    }

    struct Command: GameCommand {
        struct Kind: RawRepresentable, CaseIterable, Equatable {
            let rawValue: String
            static var allCases: [Kind] { Names.commands.compactMap { Kind(rawValue: $0) } }
            init?(rawValue: String) {
                guard Names.commands.contains(rawValue) else { return nil }
                self.rawValue = rawValue
            }
        }
        let type: String
        var isGood = true
        var kind: Kind { Kind(rawValue: type) ?? Kind.allCases[0] }
        var fields: Fields { isGood ? [:] : ["bad": true] }
        init(_ type: String, isGood: Bool = true) { (self.type, self.isGood) = (type, isGood) }
        init(_ kind: Kind, fields: Fields) throws(Rejection) { self.init(kind.rawValue, isGood: fields["bad"] == nil) }
    }

    struct Event: GameEvent {
        struct Kind: RawRepresentable, CaseIterable, Equatable {
            let rawValue: String
            /// The kinds that the game declares.
            static var allCases: [Kind] { Names.events.map { Kind(rawValue: $0) } }
            init(rawValue: String) { self.rawValue = rawValue }
        }
        let kind: Kind
        let seat: Seat
        var more: Fields = [:]
        init(_ type: String, _ seat: Seat, _ more: Fields = [:]) {
            (kind, self.seat, self.more) = (Kind(rawValue: type), seat, more)
        }
    }

    let setup: Setup
    let players: [Seat]
    var steps: [Seat] = []
    var left: Set<Seat> = []
    var deadline: Milliseconds?

    init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        (self.setup, self.players) = (setup, players)
        if [.wake, .idle, .again].contains(setup.fault) { deadline = time + 1_000 }
        if setup.fault == .forever { deadline = .max }
    }

    static func options(_ asked: Fields) throws(Rejection) -> Fields { asked }
    static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup {
        var setup = Setup(fault: options["fault"]?.string.flatMap { MischiefFault(rawValue: $0) })
        if setup.fault == .setup { setup.fields = ["board": "odd"] }
        return setup
    }

    var awaited: Set<Seat> {
        let present = players.filter { !left.contains($0) }
        guard outcome == nil, !present.isEmpty else { return [] }
        return Names.awaitsAll ? Set(present) : [present[steps.count % present.count]]
    }

    /// An event that the game itself refuses.
    private func unfitting(_ seat: Seat) -> Event { Event("stepped", seat, ["bad": true]) }

    func opening(at time: Milliseconds) -> [Event] { setup.fault == .opening ? [unfitting(players[0])] : [] }

    func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard awaited.contains(seat) else { throw .notYourTurn }
        guard command.isGood, setup.fault != .illegal || seat == players[0] else { throw Rejection("bad-step", "No.") }
        switch setup.fault {
        case .event: return [unfitting(seat)]
        case .name: return [Event("ready", seat)]
        case .field: return [Event("stepped", seat, ["v": 1])]
        case .number: return [Event("stepped", seat, ["number": .fraction(.nan)])]
        default: return [Event("stepped", seat)]
        }
    }

    func legalCommands(for seat: Seat) -> [Command] {
        awaited.contains(seat) && setup.fault != .stuck ? [Command("step")] : []
    }

    func wake(at now: Milliseconds) -> [Event] {
        guard let deadline, deadline <= now, setup.fault != .idle else { return [] }
        return [setup.fault == .wake ? unfitting(players[0]) : Event("agreed", players[0])]
    }
    func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) {
        ([], setup.fault == .leave ? [unfitting(seat)] : [])
    }
    func act(_ seat: Seat, at now: Milliseconds) -> [Event] {
        switch setup.fault {
        case .act: [unfitting(seat)]
        case .back: [Event("agreed", seat)]
        default: []
        }
    }

    mutating func apply(_ event: Event, at time: Milliseconds) {
        if event.kind.rawValue == "stepped" { steps.append(event.seat) }
    }
    mutating func applyLeaving(of seat: Seat, at time: Milliseconds) { left.insert(seat) }
    mutating func extendClock(by span: Milliseconds) { deadline = deadline.map { $0 == .max ? .max : $0 + span } }

    func fields(of event: Event) -> Fields { (["seat": .integer(event.seat.rawValue)] as Fields).merging(event.more) }
    func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        guard let seat = fields["seat"]?.integer, fields["bad"] == nil else { return nil }
        var more = fields
        more["seat"] = nil
        return Event(kind.rawValue, Seat(seat), more)
    }

    var view: Fields { ["steps": .integers(steps.map(\.rawValue)), "seats": .integers(players.map(\.rawValue))] }
    var hasMoves: Bool { !steps.isEmpty }
    var outcome: Outcome? {
        steps.count < Self.lastStep ? nil : Outcome(reason: .finished, results: results(at: 0))
    }
    func results(at time: Milliseconds) -> [PlayerResult] {
        guard setup.fault != .results else { return [] }
        return players.map { seat in
            PlayerResult(
                seat: setup.fault == .stranger ? Seat(seat.rawValue + 8) : seat,
                score: steps.count { $0 == seat }, figures: setup.fault == .figures ? ["score": 99] : [:], time: 0,
                isLeftEarly: left.contains(seat), place: setup.fault == nil ? 1 : nil)
        }
    }

    struct Computer: ComputerPlayer {
        static var levels: [String] { ["only"] }
        private var isAsked = false
        init(level: String, seat: Seat, seed: Digest) {}
        mutating func see(_ event: Event, in game: PublicGame<MischievousGame<Names>>) {}
        mutating func move(in game: PublicGame<MischievousGame<Names>>, hand: Fields?, isStopped: () -> Bool)
            -> Command?
        {
            defer { isAsked = true }
            switch game.state.setup.fault {
            case .silent: return nil
            case .refused, .stuck, .illegal: return Command("step", isGood: false)
            case .refusedOnce: return Command("step", isGood: isAsked)
            default: return Command("step")
            }
        }
    }
}
