import Cryptography
import JSON

@testable import Games

/// A minimal game: each player takes one to three stones from a pile, and the one who takes the last wins. It keeps the
/// contract unless it is asked for a fault, which it then has on purpose.
struct Pile: Game {
    enum Fault: String, CaseIterable {
        case none
        case startForgetsTurnTime, viewLeaks, eventLosesField, eventTakesAnyKind, eventTakesAnySeat, eventTakesLate
        case eventTakesTurnsAgain, decideCounts, copiesShare, legalHoldsTooMany, legalMissesOne, legalForEverybody
        case staysWithWhoLeft, outageForgetsDeadline, outageCounts, wakesEarly, sleepsOn, resultMissing, placesShared
        case awayForEver, neverEnds, goesOnBehindTheEnd, computerGuesses, eventNamesTime, figureNamesScore
        case nobodyMoves, awaitsEverybody, startsBeforeTurn, turnsTwiceWithoutTime, viewNamesAwaited
        case handOfMoverOnly, handWithoutSeed, handCounts, handMovesInOutage, handForAll, handUnseeded
        case startShowsSeed, startShowsHand, turnShowsNext, sealedIsNotRead

        /// Players have hands where these matter, since most games have none.
        var hasHands: Bool {
            switch self {
            case .none, .handOfMoverOnly, .handWithoutSeed, .handCounts, .handMovesInOutage, .handForAll, .handUnseeded,
                .startShowsSeed, .startShowsHand, .turnShowsNext:
                true
            default: false
            }
        }
    }

    static let name = "pile"
    static let seats = 2...3
    static let isDealt = true

    struct Setup: GameSetup {
        let fault: Fault
        let turnTime: Int
        /// What a fault shows of the cards.
        var leak: Value?
        var mode: String { "pile" }
        var options: Fields { ["fault": .string(fault.rawValue), "turnTime": .integer(turnTime)] }
        var fields: Fields { leak.map { ["leak": $0] } ?? [:] }

        init(fault: Fault, turnTime: Int) { (self.fault, self.turnTime) = (fault, turnTime) }
        init?(options: Fields, fields: Fields) {
            guard let fault = options["fault"]?.string.flatMap({ Fault(rawValue: $0) }) else { return nil }
            let turnTime = fault == .startForgetsTurnTime ? 9 : options["turnTime"]?.integer ?? 0
            self.init(fault: fault, turnTime: turnTime)
            leak = fields["leak"]
        }

        func dealt(from seed: Digest) -> Setup {
            var dealt = self
            dealt.leak = leak(from: seed)
            return dealt
        }
    }

    struct Command: GameCommand {
        enum Kind: String, CaseIterable, Sendable { case take = "take-stones" }
        let count: Int
        var kind: Kind { .take }
        var fields: Fields { ["count": .integer(count)] }
        init(count: Int) { self.count = count }
        init(_ kind: Kind, fields: Fields) throws(Rejection) {
            guard let count = fields["count"]?.integer else { throw .badField("count", "a whole number") }
            self.count = count
        }
    }

    enum Event: GameEvent {
        enum Kind: String, CaseIterable, Sendable { case stones = "stones-taken", turn, turnExpired = "turn-expired" }
        case stones(Int, Seat), turn(Seat, Milliseconds?), turnExpired(Seat)
        var kind: Kind {
            switch self {
            case .stones: .stones
            case .turn: .turn
            case .turnExpired: .turnExpired
            }
        }
    }

    /// State that all copies of a game share, though they should share none.
    final class Shared: @unchecked Sendable { var count = 0 }

    let setup: Setup
    let players: [Seat]
    let secret: UInt8?
    let shared: Shared
    let deck: [Int]?
    /// How often each player has taken stones, and with them a card.
    var taken: [Seat: Int] = [:]
    var outages = 0
    var stones = 12
    var mover: Seat
    var hasTurn = false
    var clock: GameClock
    var left: Set<Seat> = []
    var winner: Seat?

    var fault: Fault { setup.fault }

    init(setup: Setup, players: [Seat], first: Seat, seed: Digest?, at time: Milliseconds) {
        (self.setup, self.players, mover, clock) = (setup, players, first, GameClock(at: time))
        (secret, shared) = (seed?.bytes.first, Shared())
        deck = (setup.fault == .handUnseeded ? SHA256.digest(of: "") : seed).map { Pile.deck(from: $0) }
    }

    /// Everything that can be compared.
    static func == (one: Pile, other: Pile) -> Bool {
        one.view == other.view && one.clock == other.clock && one.left == other.left && one.secret == other.secret
            && one.deck == other.deck && one.taken == other.taken && one.hasTurn == other.hasTurn
    }

    static func options(_ asked: Fields) throws(Rejection) -> Fields { asked }
    static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> Setup {
        let fault = options["fault"]?.string.flatMap { Fault(rawValue: $0) } ?? .none
        return Setup(fault: fault, turnTime: options["turnTime"]?.integer ?? 5)
    }

    func fields(of event: Event) -> Fields {
        switch event {
        case .stones(let count, let seat):
            fault == .eventLosesField ? seat.fields : seat.fields.merging(["count": .integer(count)])
        case .turn(let seat, let deadline?): seat.fields.merging(["deadline": .integer(deadline)]).merging(next)
        case .turnExpired(let seat) where fault == .eventNamesTime: seat.fields.merging(["t": 0])
        case .turn(let seat, nil): seat.fields.merging(next)
        case .turnExpired(let seat): seat.fields
        }
    }

    func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        guard outcome == nil || fault == .eventTakesLate else { return nil }
        guard let number = fields["seat"]?.integer ?? (fault == .eventTakesAnyKind ? mover.rawValue : nil),
            number == mover.rawValue || (fault == .eventTakesAnySeat && players.contains(Seat(number)))
        else { return nil }
        let seat = Seat(number)
        switch kind {
        case .stones:
            guard hasTurn || fault == .startsBeforeTurn,
                let count = fields["count"]?.integer ?? (fault == .eventLosesField ? 1 : nil),
                (1...3).contains(count), count <= stones
            else { return nil }
            return .stones(count, seat)
        case .turn:
            let isSecond = fault == .turnsTwiceWithoutTime ? clock.deadline != nil : hasTurn
            guard !isSecond || [.eventTakesTurnsAgain, .eventTakesLate].contains(fault) else { return nil }
            guard let deadline = fields["deadline"] else { return .turn(seat, nil) }
            return deadline.integer.map { .turn(seat, $0) }
        case .turnExpired: return clock.deadline == nil ? nil : .turnExpired(seat)
        }
    }

    func sealedFields(of event: Event) -> Fields? { fault == .sealedIsNotRead ? ["secret": 1] : nil }

    var awaited: Set<Seat> {
        guard outcome == nil else { return [] }
        return fault == .awaitsEverybody ? Set(players).subtracting(left) : [mover]
    }
    var deadline: Milliseconds? { outcome == nil ? clock.deadline : nil }
    func isAway(_ seat: Seat) -> Bool { fault == .awayForEver }
    func opening(at time: Milliseconds) -> [Event] { [turn(of: mover, at: time)] }

    func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard outcome == nil else { throw .notRunning }
        guard seat == mover else { throw .notYourTurn }
        guard (1...min(3, stones)).contains(command.count) else { throw Rejection("too-many", "That is too many.") }
        if fault == .decideCounts { shared.count += 1 }
        let taken = Event.stones(command.count, seat)
        if command.count == stones, fault != .goesOnBehindTheEnd { return [taken] }
        return [taken, turn(of: next(after: seat), at: now)]
    }

    func legalCommands(for seat: Seat) -> [Command] {
        guard outcome == nil, seat == mover || fault == .legalForEverybody else { return [] }
        let most = fault == .legalHoldsTooMany ? 3 : min(3, stones)
        return (1...most).filter { $0 != 2 || fault != .legalMissesOne || stones > 6 }.map { Command(count: $0) }
    }

    func wake(at now: Milliseconds) -> [Event] {
        guard let deadline, now >= deadline &- (fault == .wakesEarly ? 1 : 0) else { return [] }
        let isStill = fault == .sleepsOn
        return [.turnExpired(mover)] + (isStill ? [.turn(mover, deadline)] : [turn(of: next(after: mover), at: now)])
    }

    func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) {
        guard seat == mover, players.count - left.count > 2, fault != .staysWithWhoLeft else { return ([], []) }
        return ([], [turn(of: next(after: seat), at: now)])
    }

    private func turn(of seat: Seat, at now: Milliseconds) -> Event {
        .turn(seat, setup.turnTime > 0 ? now + setup.turnTime * 1_000 : nil)
    }

    private func next(after seat: Seat) -> Seat {
        let others = players.filter { !left.contains($0) && $0 != seat }
        return others.first { $0 > seat } ?? others.first ?? seat
    }

    mutating func apply(_ event: Event, at time: Milliseconds) {
        clock.latest = time
        if fault == .copiesShare { shared.count += 1 }
        switch event {
        case .stones(let count, let seat):
            if fault != .neverEnds { stones -= count }
            taken[seat, default: 0] += 1
            if stones == 0 { winner = seat }
            endTurn(of: seat)
        case .turn(_, let deadline): (hasTurn, clock.deadline) = (true, deadline)
        case .turnExpired(let seat): endTurn(of: seat)
        }
    }

    private mutating func endTurn(of seat: Seat) {
        (mover, hasTurn, clock.deadline) = (next(after: seat), false, nil)
        if fault == .sleepsOn { mover = seat }
    }

    mutating func applyLeaving(of seat: Seat, at time: Milliseconds) {
        clock.latest = time
        guard outcome == nil, players.contains(seat) else { return }
        left.insert(seat)
        if seat == mover, fault != .staysWithWhoLeft { endTurn(of: seat) }
    }

    mutating func extendClock(by span: Milliseconds) {
        let before = clock
        outages += 1
        if fault != .outageCounts { clock.extend(by: span) }
        if fault == .outageCounts { clock.deadline = before.deadline.map { $0 &+ span } }
        if fault == .outageForgetsDeadline { clock.deadline = before.deadline }
    }

    var view: Fields {
        var view: Fields = [
            "seats": .integers(players.map(\.rawValue)), "stones": .integer(stones), "mover": .integer(mover.rawValue),
        ]
        view["deadline"] = clock.deadline.map { .integer($0) }
        if fault == .viewNamesAwaited { view["awaited"] = .integers([mover.rawValue]) }
        if fault == .viewLeaks { view["secret"] = secret.map { .integer(Int($0)) } }
        if [.decideCounts, .copiesShare].contains(fault) { view["count"] = .integer(shared.count) }
        return view
    }

    var hasMoves: Bool { stones < 12 && fault != .nobodyMoves }
    var outcome: Outcome? {
        if winner != nil { return Outcome(reason: .finished, results: results(at: clock.latest)) }
        return players.count - left.count > 1 ? nil : Outcome(reason: .left, results: results(at: clock.latest))
    }

    func results(at time: Milliseconds) -> [PlayerResult] {
        let playing = fault == .resultMissing ? players.filter { !left.contains($0) } : players
        return playing.map { seat in
            let place = winner == seat ? 1 : fault == .placesShared ? 3 : 2
            return PlayerResult(
                seat: seat, score: winner == seat ? 1 : 0, figures: fault == .figureNamesScore ? ["score": 2] : [:],
                time: clock.timePlayed(until: time),
                isLeftEarly: left.contains(seat), place: winner == nil ? nil : place)
        }
    }

    struct Computer: ComputerPlayer {
        static let levels = ["easy"]
        init(level: String, seat: Seat, seed: Digest) {}
        mutating func see(_ event: Event, in game: PublicGame<Pile>) {}
        mutating func move(in game: PublicGame<Pile>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            Command(count: game.state.fault == .computerGuesses ? 4 : 1)
        }
    }
}

extension Seat {
    fileprivate var fields: Fields { ["seat": .integer(rawValue)] }
}
