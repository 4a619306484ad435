import Cryptography
import Games
import JSON

/// The running or the last game of a room: a fold of `Games`, whose own tests judge the rules, and its players.
/// A value: a copy stays as it is.
struct GameFold: Sendable {
    struct Player: Sendable {
        let seat: Int
        let id: String
        let isComputer: Bool
        var hasLeft = false
        /// Whether a computer has played for the player, and whether it does so now.
        var wasHelped = false
        var isHelped = false
    }

    let kind: any Game.Type
    let number: Int
    let mode: String
    /// Seconds; 0 is off.
    let turnTime: Int
    /// What opens the commitment of this game; nil if the room has none.
    private let dealReveal: Fields?
    /// What its events have sealed, as `reveal` shows it.
    private(set) var seals: [Value] = []
    /// In the order of turns, including players who have left.
    private(set) var players: [Player]
    /// The game dealt from the seed. It tells what must happen.
    private(set) var dealt: any Game
    /// The fold of the public log, without the seed. It tells what may be shown.
    private var shown: any Game
    /// Faces of cards that have been shown, by cell.
    private(set) var seenFaces: [Int: String] = [:]

    static let rule = "a game begins as its room and its rules say"

    /// The game that `event`, a `game-started`, begins.
    init(_ kind: any Game.Type, _ event: Value, serverSeed: [UInt8]?) throws(BrokenPromise) {
        let start = GameStart(event)
        let seed = start.seed(serverSeed)
        guard seed != nil || !kind.isDealt else { throw BrokenPromise(Self.rule, "it has no seed: \(event)") }
        guard let number = event["number"]?.integer, let first = event["first"]?.integer,
            let time = event["t"]?.integer, let mode = kind.mode(options: start.options, fields: start.fields),
            let dealt = kind.started(
                options: start.options, fields: start.fields, players: start.seats, first: Seat(first), seed: seed,
                at: time),
            let shown = kind.started(
                options: start.options, fields: start.fields, players: start.seats, first: Seat(first), seed: nil,
                at: time)
        else { throw BrokenPromise(Self.rule, "it cannot begin so: \(event)") }
        (self.kind, self.number, self.mode, self.dealt, self.shown) = (kind, number, mode, dealt, shown)
        turnTime = start.options["turnTime"]?.integer ?? 0
        dealReveal = serverSeed.map { start.reveal($0) }
        players = zip(start.seats, event["seats"]?.list ?? []).map { seat, entry in
            Player(seat: seat.rawValue, id: entry["player"]?.string ?? "", isComputer: entry["bot"] != nil)
        }
    }

    var view: Value { .object(shown.view) }
    /// `reveal` in `game-ended`; nil if there is nothing to reveal.
    var reveal: Value? {
        guard dealReveal != nil || !seals.isEmpty else { return nil }
        var reveal = dealReveal ?? [:]
        if !seals.isEmpty { reveal["seals"] = .list(seals) }
        return .object(reveal)
    }
    /// The seats that the game waits for, in order.
    var awaited: [Int] { dealt.awaited.map(\.rawValue).sorted() }
    /// When something happens by itself; nil if nothing will.
    var due: Int? { dealt.deadline }
    var humans: Int { players.count { !$0.isComputer } }

    /// What the player of `seat` alone may see; nil if there is nothing.
    func hand(of seat: Int) -> Value? { dealt.hand(of: Seat(seat)).map { .object($0) } }

    func plays(_ seat: Int) -> Bool { players.contains { $0.seat == seat && !$0.hasLeft } }
    func isAway(_ seat: Int) -> Bool { dealt.isAway(Seat(seat)) }

    // MARK: What must follow

    /// Nil if the game has no such command.
    func decide(_ command: Value, by seat: Int, at time: Int) throws(Rejection) -> [GameStep]? {
        try dealt.decide(command["type"]?.string ?? "", command.object ?? [:], by: Seat(seat), at: time)
    }

    /// The same for one of the game's legal moves; nil if it leads to nothing.
    func decide(_ move: GameStep, by seat: Int, at time: Int) -> [GameStep]? {
        do throws(Rejection) {
            let steps = try dealt.decide(move.type, move.fields, by: Seat(seat), at: time)
            return steps?.isEmpty == false ? steps : nil
        } catch { return nil }
    }

    func act(_ seat: Int, at time: Int) -> [GameStep] { dealt.actSteps(Seat(seat), at: time) }
    func legalMoves(of seat: Int) -> [GameStep] { dealt.legalSteps(for: Seat(seat)) }

    /// The game after these steps. Its view is still the one before them.
    func applying(_ steps: [GameStep], at time: Int) -> GameFold {
        var after = self
        for step in steps { _ = after.dealt.apply(step, at: time) }
        return after
    }

    func applyingLeave(of seat: Int, at time: Int) -> GameFold {
        var after = self
        after.applyLeaving(of: seat, at: time)
        return after
    }

    // MARK: The fold

    /// Folds a recorded event of the game's own.
    mutating func apply(_ step: GameStep, at time: Int, version: Int) throws(BrokenPromise) {
        let written = Self.written(step, by: shown)
        let shownStep = GameStep(
            type: step.type, fields: step.fields, sealed: step.sealed.map { .committed($0.digest) })
        guard let written, dealt.apply(step, at: time), shown.apply(shownStep, at: time) else {
            throw BrokenPromise("an event of a game fits what happened before", "\(step.type) \(step.fields)")
        }
        if let difference = written.difference(from: step.fields) {
            throw BrokenPromise(
                "an event of a game says no more than everybody may know", "\(step.type): \(difference)")
        }
        if let sealed = step.sealed?.bytes {
            let salt = Array(sealed.prefix(SealedFields.saltSize)).hex
            guard !seals.contains(where: { $0["sealed"]?.string?.hasPrefix(salt) == true }) else {
                throw BrokenPromise("each seal has random bytes of its own", "\(step.type) \(step.fields)")
            }
            seals.append(.object(["v": .integer(version), "sealed": .string(sealed.hex)]))
        }
        remember(step)
    }

    /// An event that `game` has read, as `game` writes it; nil if it cannot read it.
    private static func written(_ step: GameStep, by game: some Game) -> Fields? {
        game.event(type: step.type, fields: step.fields).map { game.fields(of: $0) }
    }

    mutating func applyLeaving(of seat: Int, at time: Int) {
        for index in players.indices where players[index].seat == seat { players[index].hasLeft = true }
        dealt.applyLeaving(of: Seat(seat), at: time)
        shown.applyLeaving(of: Seat(seat), at: time)
    }

    mutating func extendClock(by span: Int) {
        dealt.extendClock(by: span)
        shown.extendClock(by: span)
    }

    /// A computer plays for a seat from now on, or no longer.
    mutating func help(_ seat: Int, _ isHelped: Bool) {
        for index in players.indices where players[index].seat == seat {
            players[index].isHelped = isHelped
            if isHelped { players[index].wasHelped = true }
        }
    }

    private mutating func remember(_ step: GameStep) {
        if let cell = step.fields["cell"]?.integer, let face = step.fields["face"]?.string { seenFaces[cell] = face }
        let before = seenFaces
        for move in step.fields["moves"]?.list ?? [] {
            guard let cells = move.integers, cells.count == 2 else { continue }
            seenFaces[cells[1]] = before[cells[0]]
        }
    }
}
