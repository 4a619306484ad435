import Cryptography
import Games

/// Where random bytes come from: the system's generator, or a script in tests.
protocol RandomSource: AnyObject {
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's, through OpenSSL.
final class SystemRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { randomBytes(count) }
}

// What follows from a command: judged on the state, which does not change.
extension RoomState {
    /// The events that `command` leads to, those of the game's end included; none where all is as asked already.
    func decide(_ command: RoomCommand, by player: PlayerID, at now: Milliseconds, random: any RandomSource)
        throws(Rejection) -> [RoomEvent]
    {
        guard phase != .closed else { throw .roomClosed }
        return switch command {
        case .sit(let seat): try sit(player, on: seat)
        case .leave: try leave(player, reason: "left", at: now, random: random)
        case .options(let asked): try change(asked, by: player)
        case .start: try start(by: player, again: false, random: random, at: now)
        case .again: try start(by: player, again: true, random: random, at: now)
        // Coming back is judged before each command of a player who is away.
        case .here: []
        case .close: try close(by: player, at: now)
        case .game(let type, let fields): try play(type, fields, by: player, at: now, random: random)
        }
    }

    /// What the clock leads to at `now`: nothing before `deadline`.
    func wake(at now: Milliseconds, random: any RandomSource) -> [RoomEvent] {
        guard let deadline, deadline <= now, let game else { return [] }
        return withEnd(game.wakeHappenings(at: now).map { .game($0) }, at: now, random: random)
    }

    /// What a player's doing anything leads to by itself: who was marked away is back.
    func act(_ player: PlayerID, at now: Milliseconds, random: any RandomSource) -> [RoomEvent] {
        guard phase == .running, let game, let seat = playingSeat(of: player) else { return [] }
        return withEnd(game.actHappenings(seat, at: now).map { .game($0) }, at: now, random: random)
    }

    /// Time in which the hub was not running does not count: an event if any of `outages` has not been made up for yet
    /// and a clock runs.
    func extendClock(over outages: [Outage]) -> [RoomEvent] {
        guard let deadline else { return [] }
        let missed = outages.filter { $0.until > max(extendedUntil, time) }
        let span = missed.reduce(0) { $0 + $1.until - max($1.from, time, extendedUntil) }
        guard let until = missed.map(\.until).max(), span > 0 else { return [] }
        return [.clockExtended(span: span, until: until, deadline: deadline + span)]
    }

    private func playingSeat(of player: PlayerID) -> Seat? { playing.first { $0.value == player }?.key }

    /// How many seats the room has.
    var seatCount: Int { kind?.seatCount(options) ?? 0 }

    private func sit(_ player: PlayerID, on asked: Seat?) throws(Rejection) -> [RoomEvent] {
        let all = (0..<seatCount).map { Seat($0) }
        if let asked, !all.contains(asked) { throw .noSuchSeat(asked, count: seatCount) }
        let own = self.seat(of: player)
        if let own, asked == nil || asked == own { return [] }
        guard let seat = asked ?? all.first(where: { seats[$0] == nil }) else { throw .roomFull }
        guard seats[seat] == nil else { throw .seatTaken(seat) }
        guard let own else { return [.seatTaken(seat, player)] }
        guard phase != .running else { throw .isRunning }
        return [.seatFreed(own, player), .seatTaken(seat, player)]
    }

    private func leave(_ player: PlayerID, reason: String, at now: Milliseconds, random: any RandomSource)
        throws(Rejection) -> [RoomEvent]
    {
        if phase == .running, let game, let seat = playingSeat(of: player) {
            // As it stands once the player has left: an attempt under way does not count.
            var left = game
            left.applyLeaving(of: seat, at: now)
            guard let result = left.results(at: now).first(where: { $0.seat == seat }) else { throw .notSeated }
            let leaving = game.leaveHappenings(seat, at: now)
            return withEnd(
                leaving.before.map { .game($0) } + [.playerLeft(seat, player, reason: reason, result: result)]
                    + leaving.after.map { .game($0) }, at: now, random: random)
        }
        guard let seat = self.seat(of: player) else { throw .notSeated }
        return [.seatFreed(seat, player)]
    }

    private func change(_ asked: Fields, by player: PlayerID) throws(Rejection) -> [RoomEvent] {
        guard player == host else { throw .notHost }
        guard phase != .running, let kind else { throw .isRunning }
        let options = try kind.options(self.options.merging(asked))
        if let count = options["seats"]?.integer, let last = seats.keys.max(), last.rawValue >= count {
            throw .seatTaken(last)
        }
        return options == self.options ? [] : [.optionsChanged(options)]
    }

    private func start(by player: PlayerID, again: Bool, random: any RandomSource, at now: Milliseconds)
        throws(Rejection) -> [RoomEvent]
    {
        guard player == host else { throw .notHost }
        guard phase != .running, let kind else { throw .isRunning }
        guard !again || gameNumber > 0 else { throw .notPlayedYet }
        let seated = seats.keys.sorted()
        guard kind.seats.contains(seated.count) else { throw .playerCount(seated.count, range: kind.seats) }
        guard let drawSeed = Digest(bytes: random.bytes(Digest.size)) else {
            preconditionFailure("a source of random bytes gives as many as asked for")
        }
        var draw = RandomWords(seed: drawSeed)
        var setup = try kind.setupFields(options, players: seated.count, draw: &draw)
        if let gameSeed {
            guard let dealt = kind.dealtFields(options: setup.options, fields: setup.fields, seed: gameSeed) else {
                preconditionFailure("a game deals what it has set up itself")
            }
            setup = dealt
        }
        // The first to play moves on by one seat a game, over the seats that are taken.
        let first = first.flatMap { last in seated.first { $0 > last } } ?? seated[0]
        let start = RoomEvent.gameStarted(
            RoomEvent.GameStart(
                number: gameNumber + 1, options: setup.options, gameFields: setup.fields,
                players: seated.compactMap { seat in seats[seat].map { SeatedPlayer(seat: seat, player: $0) } },
                first: first))
        let opening = after([start], at: now).game?.openingHappenings(at: now) ?? []
        return withEnd([start] + opening.map { .game($0) }, at: now, random: random)
    }

    private func close(by player: PlayerID, at now: Milliseconds) throws(Rejection) -> [RoomEvent] {
        guard player == host else { throw .notHost }
        guard phase == .running, let game else { return [.closed(reveal: reveal)] }
        // No next game will come, so there is no next seed to commit to.
        let end = RoomEvent.GameEnd(
            reason: "closed", results: named(game.results(at: now)), reveal: reveal, seed: nil)
        return [.gameEnded(end), .closed(reveal: nil)]
    }

    private func play(
        _ type: String, _ fields: Fields, by player: PlayerID, at now: Milliseconds, random: any RandomSource
    ) throws(Rejection) -> [RoomEvent] {
        guard phase == .running, let game else { throw .notRunning }
        guard let seat = playingSeat(of: player) else { throw .notSeated }
        guard let happenings = try game.decide(type, fields, by: seat, at: now) else { throw .unknownType(type) }
        return withEnd(happenings.map { .game($0) }, at: now, random: random)
    }

    private var reveal: Reveal? { seed?.bytes.map { Reveal(seed: $0) } }

    private func named(_ results: [PlayerResult]) -> [NamedResult] {
        let players = Dictionary(lastStart?.players.map { ($0.seat, $0.player) } ?? []) { first, _ in first }
        return results.map { NamedResult(player: players[$0.seat] ?? "", result: $0) }
    }

    /// The state that `events` would lead to.
    private func after(_ events: [RoomEvent], at now: Milliseconds) -> RoomState {
        var state = self
        for event in events {
            do {
                let fits = try state.apply(event, at: now)
                precondition(fits, "a game gave an event that does not fit its own state: \(event.type)")
            } catch { preconditionFailure("a room's own event cannot be folded: \(error)") }
        }
        return state
    }

    /// `events`, and the end of the game behind them if they lead to it: in the same commit, so that nobody ever sees a
    /// game that is over but not ended.
    private func withEnd(_ events: [RoomEvent], at now: Milliseconds, random: any RandomSource) -> [RoomEvent] {
        let state = after(events, at: now)
        guard state.phase == .running, let outcome = state.game?.outcome else { return events }
        let end = RoomEvent.GameEnd(
            reason: outcome.reason, results: state.named(outcome.results), reveal: state.reveal,
            seed: state.seed.map { _ in .known(random.bytes(Digest.size)) })
        return events + [.gameEnded(end)]
    }
}

/// A time in which the hub was not running or could not write: it counts against nobody. Milliseconds since 1970.
struct Outage: Equatable, Sendable {
    let from: Milliseconds
    let until: Milliseconds
}
