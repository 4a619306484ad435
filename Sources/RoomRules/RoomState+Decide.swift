import Cryptography
import Games

// Judges commands, the clock and other actions of players. The state does not change.
extension RoomState {
    /// The result of `command`, including the game's end; empty if everything is already as asked.
    public func decide(_ command: RoomCommand, by player: PlayerID, _ context: DecisionContext) throws(Rejection)
        -> Decision
    {
        guard phase != .closed else { throw .roomClosed }
        guard !banned.contains(player) else { throw .banned }
        let decision = Decision(on: self, context)
        switch command {
        case .own(let command):
            let kind = type(of: command)
            guard !kind.isTheHosts || player == host else { throw .notHost }
            guard phase != .dealing || kind.whileDealing == .isJudged else { throw .dealing }
            try command.decide(in: self, by: player, decision)
        case .game(let step): try play(step, by: player, decision)
        }
        decision.settleProposal()
        return decision
    }

    /// What happens by itself at the context's time; nil before `deadline`.
    public func wake(_ context: DecisionContext) -> Decision? {
        guard let deadline, deadline <= context.now else { return nil }
        let decision = Decision(on: self, context)
        if let due = proposal?.deadline, due <= context.now, due <= playDeadline ?? due {
            decision.settleProposal(isTimeUp: true)
        } else if let dealing {
            decision.deal(dealing.start)
        } else if let game {
            guard knowsSeals else {
                decision.fail(nil, "what is sealed of the game is not in the log")
                return decision
            }
            let awaited = game.awaited.sorted()
            decision.add(game.wakeSteps(at: context.now))
            // A computer that is marked away for late turns is back at once. Its commands would not bring it back.
            for seat in awaited where computers[seat] != nil {
                decision.add(decision.state.game?.actSteps(seat, at: context.now) ?? [])
            }
            decision.endIfOver()
            // Otherwise the room would be woken again at once, forever.
            if decision.isEmpty { decision.fail(nil, "nothing happens at the game's deadline") }
            if let next = decision.state.playDeadline, next <= context.now {
                decision.fail(nil, "the game's deadline is still due after its events")
            }
            decision.settleProposal()
        }
        return decision
    }

    /// What follows if a player does anything at all. A computer that played for the player stops, and a player who was
    /// marked away is back. Nil if neither applies.
    public func act(_ player: PlayerID, _ context: DecisionContext) -> Decision? {
        guard phase == .running, let game, let seat = playingSeat(of: player) else { return nil }
        let steps = game.actSteps(seat, at: context.now)
        guard isHelped(seat) || !steps.isEmpty else { return nil }
        let decision = Decision(on: self, context)
        if isHelped(seat) { decision.add(SeatReturned(seat: seat)) }
        decision.add(steps)
        decision.endIfOver()
        // Otherwise the player's command would never be judged.
        if decision.state.phase == .running, decision.state.game?.actSteps(seat, at: context.now).isEmpty == false {
            decision.fail(nil, "a player who is back is still marked away")
        }
        decision.settleProposal()
        return decision
    }

    /// Ends a game that has a fault, or the proposal of one that cannot be dealt; nil if there is neither.
    public func endFaultyGame(_ context: DecisionContext) -> Decision? {
        guard isInGame || proposal != nil else { return nil }
        let decision = Decision(on: self, context)
        if isInGame { decision.endByFault() } else { decision.add(ProposalEnded(reason: .expired)) }
        return decision
    }

    /// The seat with which the player plays in the running game; nil if the player does not play, or has left.
    public func playingSeat(of player: PlayerID) -> Seat? { playing.first { $0.value == player }?.key }

    /// Whether the state has the seed that the running game was dealt from, if it is dealt, and all that is sealed.
    private var knowsSecrets: Bool {
        (kind?.isDealt != true || seed?.bytes?.count == Digest.size) && knowsSeals
    }
    private var knowsSeals: Bool { seals.allSatisfy { $0.sealed.bytes != nil } }

    var seatCount: Int { kind?.seatCount(options) ?? 0 }

    private func play(_ step: GameStep, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard phase == .running, let game else { throw .notRunning }
        guard let seat = playingSeat(of: player) else { throw .notSeated }
        // The log was altered, or copied without its sealed bytes.
        guard knowsSecrets else { return decision.fail(step.type, "needs secrets of the game that are not in the log") }
        guard let steps = try game.decide(step.type, step.fields, by: seat, at: decision.context.now) else {
            throw .unknownType(step.type)
        }
        decision.add(steps)
        decision.endIfOver()
    }
}

// What `game-ended` says about a game.
extension RoomState {
    /// The game that runs or is being dealt, else the newest; nil if there is none.
    var played: PlayedGame? {
        guard let kind, let start = dealing?.start ?? lastStart,
            let mode = kind.mode(options: start.options, fields: start.gameFields)
        else { return nil }
        return PlayedGame(name: kind.name, mode: mode, number: start.number)
    }

    /// What opens the commitments of the running or next game.
    var reveal: Reveal? {
        let seals = phase == .running ? seals : []
        guard seed?.bytes != nil || !seals.isEmpty else { return nil }
        return Reveal(seed: seed?.bytes, nonces: opened, seals: seals)
    }

    /// The nonces that were put into the draw of the game that runs or is being dealt.
    public var opened: [SeatNonce] {
        switch phase {
        case .running: lastStart?.players.opened ?? []
        case .dealing: dealing?.start.players.opened ?? []
        default: []
        }
    }

    /// `results` with their players; nil if one is for a seat that does not play, or two are for the same seat.
    func named(_ results: [PlayerResult]) -> [NamedResult]? {
        let players = Dictionary(lastStart?.players.map { ($0.seat, $0.player) } ?? []) { first, _ in first }
        guard Set(results.map(\.seat)).count == results.count else { return nil }
        let named = results.compactMap { result in
            players[result.seat].map { player in
                NamedResult(
                    player: player, result: result.unplaced, isComputer: isComputer(player),
                    isHelped: helped.contains(result.seat),
                    place: 1 + results.count { $0.isBetter(than: result) })
            }
        }
        return named.count == results.count ? named : nil
    }
}

extension PlayerResult {
    /// Players who left come after those who played to the end. Else the game's own places count, or else the scores.
    fileprivate func isBetter(than other: PlayerResult) -> Bool {
        guard isLeftEarly == other.isLeftEarly else { return other.isLeftEarly }
        guard let place, let others = other.place else { return score > other.score }
        return place < others
    }

    /// As in a `NamedResult`, which has the place itself.
    fileprivate var unplaced: PlayerResult {
        PlayerResult(seat: seat, score: score, figures: figures, time: time, isLeftEarly: isLeftEarly)
    }
}
