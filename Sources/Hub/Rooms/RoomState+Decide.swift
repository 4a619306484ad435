import Cryptography
import Games

// What follows from a command: judged on the state, which does not change.
extension RoomState {
    /// The events that `command` leads to, those of the game's end included; none where all is as asked already.
    func decide(_ command: RoomCommand, by player: PlayerID, _ moment: Moment) throws(Rejection) -> [RoomEvent] {
        guard phase != .closed else { throw .roomClosed }
        guard !banned.contains(player) else { throw .banned }
        return switch command {
        case .sit(let seat, let commitment): try sit(player, on: seat, commitment)
        case .leave: try leave(player, moment)
        case .options(let asked): try change(asked, by: player)
        case .start: try start(by: player, again: false, moment)
        case .again: try start(by: player, again: true, moment)
        case .ready(let nonce, let next): try ready(nonce, next: next, by: player, moment)
        // Coming back is judged before each command of a player who is away.
        case .here: []
        case .computer(let seat, let level): try seatComputer(at: seat, level: level, by: player, moment)
        case .free(let seat): try free(seat, by: player, moment)
        case .mute(let other, let isOn): try mute(other, isOn, by: player)
        case .ban(let other, let isOn): try ban(other, isOn, by: player, moment)
        case .close: try close(by: player, at: moment.now)
        case .game(let type, let fields): try play(type, fields, by: player, moment)
        }
    }

    /// What the clock leads to at `now`: nothing before `deadline`.
    func wake(_ moment: Moment) -> [RoomEvent] {
        guard let deadline, deadline <= moment.now else { return [] }
        if let dealing { return deal(dealing.start, moment) }
        guard let game else { return [] }
        return withEnd(game.wakeHappenings(at: moment.now).map { .game($0) }, moment)
    }

    /// What a player's doing anything leads to by itself: a computer that played in the meantime gives the seat back,
    /// and who was marked away is back.
    func act(_ player: PlayerID, _ moment: Moment) -> [RoomEvent] {
        guard phase == .running, let game, let seat = playingSeat(of: player) else { return [] }
        let returned: [RoomEvent] = isHelped(seat) ? [.seatReturned(seat)] : []
        return withEnd(returned + game.actHappenings(seat, at: moment.now).map { .game($0) }, moment)
    }

    /// Time in which the hub was not running does not count, for a turn or for the time that a game took: an event if
    /// any of `outages` has not been made up for yet.
    func extendClock(over outages: [Outage]) -> [RoomEvent] {
        guard phase == .running || phase == .dealing else { return [] }
        let missed = outages.filter { $0.until > max(extendedUntil, time) }
        let span = missed.reduce(0) { $0 + $1.until - max($1.from, time, extendedUntil) }
        guard let until = missed.map(\.until).max(), span > 0 else { return [] }
        return [.clockExtended(span: span, until: until, deadline: deadline.map { $0 + span })]
    }

    func playingSeat(of player: PlayerID) -> Seat? { playing.first { $0.value == player }?.key }

    /// How many seats the room has.
    var seatCount: Int { kind?.seatCount(options) ?? 0 }

    private func sit(_ player: PlayerID, on asked: Seat?, _ commitment: Digest?) throws(Rejection) -> [RoomEvent] {
        guard phase != .dealing else { throw .dealing }
        // Where nothing is dealt there is nothing to take part in.
        let commitment = seed == nil ? nil : commitment
        let all = (0..<seatCount).map { Seat($0) }
        if let asked, !all.contains(asked) { throw .noSuchSeat(asked, count: seatCount) }
        let own = self.seat(of: player)
        if let own, asked == nil || asked == own {
            // In a running game the next commitment comes with `ready`.
            guard phase != .running, let commitment, commitment != commitments[own] else { return [] }
            return [.seatTaken(SeatedPlayer(seat: own, player: player, commitment: commitment))]
        }
        guard let seat = asked ?? all.first(where: { seats[$0] == nil }) else { throw .roomFull }
        guard seats[seat] == nil else { throw .seatTaken(seat) }
        let taken = RoomEvent.seatTaken(
            SeatedPlayer(seat: seat, player: player, commitment: commitment ?? own.flatMap { commitments[$0] }))
        guard let own else { return [taken] }
        guard phase != .running else { throw .isRunning }
        return [.seatFreed(own, player, .left), taken]
    }

    private func change(_ asked: Fields, by player: PlayerID) throws(Rejection) -> [RoomEvent] {
        guard player == host else { throw .notHost }
        guard phase != .dealing else { throw .dealing }
        guard phase != .running, let kind else { throw .isRunning }
        // Null takes back what was asked for before.
        let options = try kind.options(self.options.merging(asked).withoutNulls)
        if let count = options["seats"]?.integer, let last = seats.keys.max(), last.rawValue >= count {
            throw .seatTaken(last)
        }
        return options == self.options ? [] : [.optionsChanged(options)]
    }

    private func close(by player: PlayerID, at now: Milliseconds) throws(Rejection) -> [RoomEvent] {
        guard player == host else { throw .notHost }
        guard phase != .dealing else { throw .dealing }
        return closing(at: now)
    }

    /// The end of the room, and before it that of a running game.
    func closing(at now: Milliseconds) -> [RoomEvent] {
        guard phase == .running, let game, let played else { return [.closed(reveal: reveal)] }
        // No next game will come, so there is no next seed to commit to.
        let end = RoomEvent.GameEnd(
            game: played, reason: "closed", results: named(game.results(at: now)), reveal: reveal, seed: nil)
        return [.gameEnded(end), .closed(reveal: nil)]
    }

    private func play(_ type: String, _ fields: Fields, by player: PlayerID, _ moment: Moment)
        throws(Rejection) -> [RoomEvent]
    {
        guard phase == .running, let game else { throw .notRunning }
        guard let seat = playingSeat(of: player) else { throw .notSeated }
        guard let happenings = try game.decide(type, fields, by: seat, at: moment.now) else {
            throw .unknownType(type)
        }
        let events = happenings.map { RoomEvent.game($0) }
        return withEnd(events + agreement(to: type, fields, after: events, moment), moment)
    }

    /// Where all have to agree: those at the table who cannot be asked do. Looked at again when somebody asks again: by
    /// then others may have gone.
    private func agreement(to type: String, _ fields: Fields, after events: [RoomEvent], _ moment: Moment)
        -> [RoomEvent]
    {
        guard let kind, kind.agreements.contains(type) else { return [] }
        var state = after(events, at: moment.now)
        var agreed: [RoomEvent] = []
        for (seat, player) in playing.sorted(by: { $0.key < $1.key }) {
            guard computers[seat] != nil || moment.attendance.isAbsent(player, at: moment.now) else { continue }
            // Who may not give the command, or need not, is not asked.
            guard let game = state.game, game.outcome == nil,
                let more = try? game.decide(type, fields, by: seat, at: moment.now)
            else { continue }
            let events = more.map { RoomEvent.game($0) }
            state = state.after(events, at: moment.now)
            agreed += events
        }
        return agreed
    }
}

// The end of a game, which may come with any event.
extension RoomState {
    /// `events`, and the end of the game behind them if they lead to it: in the same commit, so that nobody ever sees a
    /// game that is over but not ended. A game that was restarted is followed by the next.
    func withEnd(_ events: [RoomEvent], _ moment: Moment) -> [RoomEvent] {
        guard !events.isEmpty else { return [] }
        let state = after(events, at: moment.now)
        guard state.phase == .running, let outcome = state.game?.outcome else { return events }
        let end = state.ending(outcome, moment)
        guard outcome.reason == "restart" else { return events + [end] }
        let ended = state.after([end], at: moment.now)
        // Whoever began this one begins the next: it is the same game, dealt again.
        do { return events + [end] + (try ended.startEvents(first: ended.first, moment)) } catch {
            return events + [end]
        }
    }

    /// The end of the running game, and the commitment for the next.
    func ending(_ outcome: Outcome, _ moment: Moment) -> RoomEvent {
        guard let played else { preconditionFailure("what has not started does not end") }
        return .gameEnded(
            RoomEvent.GameEnd(
                game: played, reason: outcome.reason, results: named(outcome.results), reveal: reveal,
                seed: seed.map { _ in .known(moment.random.bytes(Digest.size)) }))
    }

    /// The newest game, as results name it.
    var played: PlayedGame? {
        guard let kind, let start = lastStart,
            let mode = kind.mode(options: start.options, fields: start.gameFields)
        else { return nil }
        return PlayedGame(name: kind.name, mode: mode, number: start.number)
    }

    /// What opens the commitments of the running or next game.
    var reveal: Reveal? {
        seed?.bytes.map { Reveal(seed: $0, nonces: phase == .running ? lastStart?.players.opened ?? [] : []) }
    }

    /// `results` with whose they are.
    func named(_ results: [PlayerResult]) -> [NamedResult] {
        let players = Dictionary(lastStart?.players.map { ($0.seat, $0.player) } ?? []) { first, _ in first }
        return results.map { result in
            let player = players[result.seat] ?? ""
            return NamedResult(
                player: player, result: result, isComputer: isComputer(player), isHelped: helped.contains(result.seat),
                place: result.place ?? 1 + results.count { $0.score > result.score })
        }
    }

    /// The state that `events` would lead to.
    func after(_ events: [RoomEvent], at now: Milliseconds) -> RoomState {
        var state = self
        for event in events {
            do {
                let fits = try state.apply(event, at: now)
                precondition(fits, "a game gave an event that does not fit its own state: \(event.type)")
            } catch { preconditionFailure("a room's own event cannot be folded: \(error)") }
        }
        return state
    }
}

/// A time in which the hub was not running or could not write: it counts against nobody. Milliseconds since 1970.
struct Outage: Equatable, Sendable {
    let from: Milliseconds
    let until: Milliseconds
}
