import Cryptography
import Games

// How a game begins: everything is fixed first, then those who promised a nonce open it, then the cards are dealt.
extension RoomState {
    func start(by player: PlayerID, again: Bool, _ moment: Moment) throws(Rejection) -> [RoomEvent] {
        guard player == host else { throw .notHost }
        guard phase != .dealing else { throw .dealing }
        guard phase != .running else { throw .isRunning }
        guard !again || gameNumber > 0 else { throw .notPlayedYet }
        // The first to play moves on by one seat a game, over the seats that are taken.
        let next = first.flatMap { last in seats.keys.sorted().first { $0 > last } }
        return try startEvents(first: next, moment)
    }

    func ready(_ nonce: Nonce, next: Digest?, by player: PlayerID, _ moment: Moment) throws(Rejection) -> [RoomEvent] {
        guard let seat = seat(of: player) else { throw .notSeated }
        guard phase == .dealing, let dealing else { throw .notDealing }
        guard dealing.awaited.contains(seat) else { throw .notAwaited }
        let promised = dealing.start.players.first { $0.seat == seat }?.commitment
        guard nonce.commitment == promised else { throw .wrongNonce }
        let ready = RoomEvent.ready(seat, nonce, next: next)
        let state = after([ready], at: moment.now)
        guard let dealing = state.dealing, dealing.awaited.isEmpty else { return [ready] }
        return [ready] + state.deal(dealing.start, moment)
    }

    /// What starts the next game: `dealing` where nonces are to come, else the game itself. Nobody is waited for who
    /// promised nothing or is not connected. `first` begins, if that seat is taken.
    func startEvents(first: Seat?, _ moment: Moment) throws(Rejection) -> [RoomEvent] {
        let seated = seats.keys.sorted()
        guard let kind, let lowest = seated.first, kind.seats.contains(seated.count) else {
            throw .playerCount(seated.count, range: kind?.seats ?? 0...0)
        }
        let setup = try setup(of: kind, moment)
        let players = seated.compactMap { seat in
            seats[seat].map {
                SeatedPlayer(
                    seat: seat, player: $0, level: isComputer($0) ? computers[seat] : nil,
                    commitment: commitments[seat])
            }
        }
        let start = RoomEvent.GameStart(
            number: gameNumber + 1, options: setup.options, gameFields: setup.fields, players: players,
            first: first.flatMap { seats[$0] == nil ? nil : $0 } ?? lowest)
        let awaited = players.filter { $0.commitment != nil && moment.attendance.isConnected($0.player) }
        guard seed != nil, !awaited.isEmpty else { return deal(start, moment) }
        return [
            .dealing(
                Dealing(start: start, awaited: awaited.map(\.seat), deadline: moment.now + Dealing.patience))
        ]
    }

    /// [game-started, turn]: with what follows from the seed of the game, now that all nonces are there that will be.
    func deal(_ fixed: RoomEvent.GameStart, _ moment: Moment) -> [RoomEvent] {
        var (options, fields) = (fixed.options, fixed.gameFields)
        if let seed = gameSeed(fixed.players.nonces) {
            guard let dealt = kind?.dealtFields(options: options, fields: fields, seed: seed) else {
                preconditionFailure("a game deals what it has set up itself")
            }
            (options, fields) = dealt
        }
        let start = RoomEvent.gameStarted(
            RoomEvent.GameStart(
                number: fixed.number, options: options, gameFields: fields, players: fixed.players,
                first: fixed.first))
        let opening = after([start], at: moment.now).game?.openingHappenings(at: moment.now) ?? []
        return withEnd([start] + opening.map { .game($0) }, moment)
    }

    private func setup(of kind: any Game.Type, _ moment: Moment) throws(Rejection) -> (options: Fields, fields: Fields)
    {
        guard let seed = Digest(bytes: moment.random.bytes(Digest.size)) else {
            preconditionFailure("a source of random bytes gives as many as asked for")
        }
        var draw = RandomWords(seed: seed)
        return try kind.setupFields(options, players: seats.count, draw: &draw)
    }
}
