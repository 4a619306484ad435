import Cryptography
import Games
import JSON

// How a game begins: everything is fixed first, then those who promised a nonce open it, then the cards are dealt.
extension Decision {
    /// What starts the next game, of these seats, which are taken: `dealing` where nonces are to come, else the game
    /// itself. Nobody is waited for who promised nothing or is not connected. `first` begins, if it is one of them.
    func start(_ seats: [Seat], first: Seat?) throws(Rejection) {
        let state = state
        guard let kind = state.kind, let lowest = seats.first, kind.seats.contains(seats.count) else {
            throw .playerCount(seats.count, range: state.kind?.seats ?? 0...0)
        }
        // Computers do not play among themselves.
        guard seats.contains(where: { state.seats[$0].map(state.isComputer) == false }) else {
            throw .playerCount(0, range: kind.seats)
        }
        let setup = try setup(of: kind, seats)
        let players = seats.compactMap { seat in
            state.seats[seat].map {
                SeatedPlayer(
                    seat: seat, player: $0, level: state.isComputer($0) ? state.computers[seat] : nil,
                    commitment: state.commitments[seat])
            }
        }
        let start = GameStarted(
            number: state.gameNumber + 1, options: setup.options, gameFields: setup.fields, players: players,
            first: first.flatMap { seats.contains($0) ? $0 : nil } ?? lowest)
        let awaited = players.filter { $0.commitment != nil && context.attendance.isConnected($0.player) }
        guard state.seed != nil, !awaited.isEmpty else { return deal(start) }
        add(Dealing(start: start, awaited: awaited.map(\.seat), deadline: context.now + Dealing.nonceTimeout))
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

    private func setup(of kind: any Game.Type, _ seats: [Seat]) throws(Rejection) -> (options: Fields, fields: Fields) {
        guard let seed = Digest(bytes: context.random.bytes(Digest.size)) else {
            preconditionFailure("a source of random bytes gives as many as asked for")
        }
        var draw = RandomWords(seed: seed)
        var options = state.options
        // Nobody waits for one person who plays alone or with computers.
        if options["turnTime"] == nil, seats.count(where: { state.seats[$0].map(state.isComputer) == false }) == 1 {
            options["turnTime"] = 0
        }
        return try kind.setupFields(options, players: seats.count, draw: &draw)
    }
}
