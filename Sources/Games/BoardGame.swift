import JSON

/// A game for two on a board of fixed size, in which a player who runs out of time, resigns or leaves has lost. What
/// such games share: their setup, their turns and clock, and how they end early.
protocol BoardGame: Game where Setup == BoardSetup, Event: BoardEvent {
    static var columns: Int { get }
    static var rows: Int { get }

    var setup: BoardSetup { get }
    /// Both in order of seats; both play to the end.
    var players: [Seat] { get }
    /// The player to move, or who would move if the game was not over.
    var mover: Seat { get }
    /// Whether the board itself ends the game.
    var isDecided: Bool { get }
    var end: EarlyEnd? { get set }
    /// Whether the mover's `turn` has come and the move has not. Until then nothing else is read from a log.
    var hasTurn: Bool { get set }
    var clock: GameClock { get set }
}

protocol BoardEvent: GameEvent {
    static func turn(seat: Seat, deadline: Milliseconds?) -> Self
    static func turnExpired(_ seat: Seat) -> Self
}

extension BoardGame {
    public static var seats: ClosedRange<Int> { 2...2 }
    public static var isDealt: Bool { false }

    public static func options(_ asked: Fields) throws(Rejection) -> Fields {
        _ = try BoardSetup(asked, columns: columns, rows: rows)
        return asked
    }

    public static func setup(_ options: Fields, players: Int, draw: inout RandomWords) throws(Rejection) -> BoardSetup {
        try BoardSetup(options, columns: columns, rows: rows)
    }

    func other(than seat: Seat) -> Seat { players.first { $0 != seat } ?? seat }

    var isOver: Bool { end != nil || isDecided }

    public var awaited: Set<Seat> { isOver ? [] : [mover] }
    public var deadline: Milliseconds? { clock.deadline }

    public func opening(at time: Milliseconds) -> [Event] { [turn(of: mover, at: time)] }

    func turn(of seat: Seat, at now: Milliseconds) -> Event {
        .turn(seat: seat, deadline: setup.turnTime.deadline(from: now))
    }

    /// Reads a `turn` of `seat` from a log; nil if it cannot happen in this state.
    func readTurn(of seat: Seat, _ fields: Fields) -> Event? {
        guard seat == mover, !hasTurn else { return nil }
        guard let deadline = fields["deadline"] else { return .turn(seat: seat, deadline: nil) }
        return deadline.integer.map { .turn(seat: seat, deadline: $0) }
    }

    public func wake(at now: Milliseconds) -> [Event] {
        guard !isOver, let deadline, now >= deadline else { return [] }
        return [.turnExpired(mover)]
    }

    mutating func finish(_ reason: EarlyEnd.Reason, losing seat: Seat) {
        end = end ?? EarlyEnd(reason: reason, loser: seat)
        clock.deadline = nil
    }

    public mutating func applyLeaving(of seat: Seat, at time: Milliseconds) {
        clock.latest = time
        if !isOver { finish(.left, losing: seat) }
    }

    public mutating func extendClock(by span: Milliseconds) { clock.extend(by: span) }

    public var outcome: Outcome? {
        guard isOver else { return nil }
        return Outcome(reason: end?.outcome ?? .finished, results: results(at: clock.latest))
    }
}
