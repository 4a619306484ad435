import Cryptography
import Games
import JSON

// How a game begins: everything is fixed, players open the nonces that they promised, and the cards are dealt.
extension Decision {
    /// Starts the next game with these seats, which are taken. Adds `dealing` if connected players have promised
    /// nonces, else the game itself. `first` begins if it is one of the seats, else the lowest.
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

    /// Adds `game-started` and the game's opening, with what follows from the game's seed. It is too late for any more
    /// nonces.
    func deal(_ fixed: GameStarted) {
        var (options, fields) = (fixed.options, fixed.gameFields)
        if let seed = state.gameSeed(fixed.players.nonces) {
            guard let dealt = state.kind?.dealtFields(options: options, fields: fields, seed: seed) else {
                return fail(GameStarted.type, "the game cannot read its own setup")
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
        // No one waits for one person who plays alone or with computers.
        if options["turnTime"] == nil, seats.count(where: { state.seats[$0].map(state.isComputer) == false }) == 1 {
            options["turnTime"] = 0
        }
        return try kind.setupFields(options, players: seats.count, draw: &draw)
    }
}
