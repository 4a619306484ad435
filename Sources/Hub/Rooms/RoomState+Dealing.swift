import Cryptography
import Games

// How a game begins: everything is fixed first, then those who promised a nonce open it, then the cards are dealt.
extension RoomState {
    /// A game with those who are seated. The first to play moves on by one seat a game, over the seats that are taken.
    func startNext(_ decision: Decision) throws(Rejection) {
        guard phase != .running else { throw .isRunning }
        let next = first.flatMap { last in seats.keys.sorted().first { $0 > last } }
        try decision.start(first: next)
    }
}

extension Decision {
    /// What starts the next game: `dealing` where nonces are to come, else the game itself. Nobody is waited for who
    /// promised nothing or is not connected. `first` begins, if that seat is taken.
    func start(first: Seat?) throws(Rejection) {
        let state = state
        let seated = state.seats.keys.sorted()
        guard let kind = state.kind, let lowest = seated.first, kind.seats.contains(seated.count) else {
            throw .playerCount(seated.count, range: state.kind?.seats ?? 0...0)
        }
        let setup = try setup(of: kind)
        let players = seated.compactMap { seat in
            state.seats[seat].map {
                SeatedPlayer(
                    seat: seat, player: $0, level: state.isComputer($0) ? state.computers[seat] : nil,
                    commitment: state.commitments[seat])
            }
        }
        let start = GameStarted(
            number: state.gameNumber + 1, options: setup.options, gameFields: setup.fields, players: players,
            first: first.flatMap { state.seats[$0] == nil ? nil : $0 } ?? lowest)
        let awaited = players.filter { $0.commitment != nil && context.attendance.isConnected($0.player) }
        guard state.seed != nil, !awaited.isEmpty else { return deal(start) }
        add(Dealing(start: start, awaited: awaited.map(\.seat), deadline: context.now + Dealing.patience))
    }

    /// `game-started` and the game's opening: with what follows from the seed of the game, now that all nonces are
    /// there that will be.
    func deal(_ fixed: GameStarted) {
        var (options, fields) = (fixed.options, fixed.gameFields)
        if let seed = state.gameSeed(fixed.players.nonces) {
            guard let dealt = state.kind?.dealtFields(options: options, fields: fields, seed: seed) else {
                return fail(GameStarted.type, "the game cannot read what it has set up itself")
            }
            (options, fields) = dealt
        }
        add(
            GameStarted(
                number: fixed.number, options: options, gameFields: fields, players: fixed.players,
                first: fixed.first))
        guard fault == nil else { return }
        add(state.game?.openingSteps(at: context.now) ?? [])
        endIfOver()
    }

    private func setup(of kind: any Game.Type) throws(Rejection) -> (options: Fields, fields: Fields) {
        guard let seed = Digest(bytes: context.random.bytes(Digest.size)) else {
            preconditionFailure("a source of random bytes gives as many as asked for")
        }
        var draw = RandomWords(seed: seed)
        var options = state.options
        // Nobody waits for one person who plays alone or with computers.
        if options["turnTime"] == nil, state.seats.values.count(where: { !state.isComputer($0) }) == 1 {
            options["turnTime"] = 0
        }
        return try kind.setupFields(options, players: state.seats.count, draw: &draw)
    }
}
