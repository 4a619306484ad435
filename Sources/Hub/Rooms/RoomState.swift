import Cryptography
import EventStore
import Games

/// A room: the fold over its log. The live room, recovery, replay and checks all run it; it holds the fold of the
/// running game.
struct RoomState: Sendable {
    /// Most seats that a room of any game can have.
    static let seatLimit = 16

    enum Phase: String, Sendable {
        /// Nothing in the log yet.
        case unopened
        case waiting, running, ended, closed
    }

    let code: String
    /// Of the last event; 0 before the first.
    private(set) var version = 0
    /// The hash of the last record (StreamName.origin before the first).
    private(set) var head: Digest
    /// The time of the last event: no later one has a smaller.
    private(set) var time: Milliseconds = 0
    private(set) var phase = Phase.unopened
    private(set) var kind: (any Game.Type)?
    private(set) var options: Fields = [:]
    private(set) var visibility = Visibility.public
    private(set) var host: PlayerID = ""
    /// Who holds which seat, playing or not.
    private(set) var seats: [Seat: PlayerID] = [:]
    /// Of the next game, or of the running one.
    private(set) var seed: ServerSeed?
    private(set) var gameNumber = 0
    /// The first seat of the newest game.
    private(set) var first: Seat?
    /// Who plays in the running game and has not left it.
    private(set) var playing: [Seat: PlayerID] = [:]
    /// The running game, or the last one as it ended.
    private(set) var game: (any Game)?
    private(set) var lastStart: RoomEvent.GameStart?
    private(set) var lastEnd: RoomEvent.GameEnd?
    /// The outages that `clock-extended` has already made up for end here.
    private(set) var extendedUntil: Milliseconds = 0

    init(code: String) {
        self.code = code
        head = StreamName.room(code).origin
    }

    /// When something happens by itself; nil if nothing will.
    var deadline: Milliseconds? { phase == .running ? game?.deadline : nil }

    /// The seat of `player`, playing or not.
    func seat(of player: PlayerID) -> Seat? { seats.first { $0.value == player }?.key }

    /// Everybody whose name members may need.
    var players: Set<PlayerID> {
        var players = Set(seats.values).union(lastStart?.players.map(\.player) ?? [])
        players.insert(host)
        return players
    }

    /// What the running or next game is dealt from; nil in a fold of the public log, and for games that are not dealt.
    var gameSeed: Digest? {
        guard let seed = seed?.bytes.flatMap({ Digest(bytes: $0) }) else { return nil }
        return Games.gameSeed(serverSeed: seed, nonces: [:])
    }

    // MARK: The fold

    /// Why a record cannot follow on this state: a log that was not written by this program, or was altered.
    enum FoldError: Error, Equatable {
        case wrongVersion(expected: Int, found: Int)
        case unreadable(version: Int, type: String)
        /// The event does not fit the state before it.
        case unfitting(version: Int, type: String)
        case unknownGame(String)
    }

    /// Records `record`: the only way in which a room changes.
    mutating func apply(_ record: Record) throws(FoldError) {
        guard record.version == version + 1 else {
            throw .wrongVersion(expected: version + 1, found: record.version)
        }
        guard let event = EventCoding.decode(record) else {
            throw .unreadable(version: record.version, type: record.event.type)
        }
        guard try apply(event, at: record.event.time) else {
            throw .unfitting(version: record.version, type: record.event.type)
        }
        version = record.version
        head = record.hash
        time = max(time, record.event.time)
    }

    /// False where the event does not fit. Also runs on events that are not in the log yet, to see what would follow.
    mutating func apply(_ event: RoomEvent, at time: Milliseconds) throws(FoldError) -> Bool {
        switch event {
        case .opened(let opening): return try open(opening)
        case .seatTaken(let seat, let player):
            guard seats[seat] == nil, self.seat(of: player) == nil else { return false }
            seats[seat] = player
        case .seatFreed(let seat, let player):
            guard seats[seat] == player else { return false }
            seats[seat] = nil
        case .playerLeft(let seat, let player, _, _):
            guard playing[seat] == player else { return false }
            playing[seat] = nil
            if seats[seat] == player { seats[seat] = nil }
            game?.applyLeaving(of: seat, at: time)
        case .optionsChanged(let options): self.options = options
        case .gameStarted(let start): return self.start(start, at: time)
        case .clockExtended(let span, let until, _):
            extendedUntil = max(extendedUntil, until)
            game?.extendClock(by: span)
        case .gameEnded(let end):
            guard phase == .running else { return false }
            phase = .ended
            lastEnd = end
            seed = end.seed
            playing = [:]
        case .closed: phase = .closed
        case .game(let happening):
            guard phase == .running, var running = game else { return false }
            // Taken out of the state while it changes, so that its arrays are not copied.
            game = nil
            defer { game = running }
            return running.apply(happening, at: time)
        }
        return true
    }

    private mutating func open(_ opening: RoomEvent.Opening) throws(FoldError) -> Bool {
        guard phase == .unopened else { return false }
        guard let kind = GameList.game(named: opening.game) else { throw .unknownGame(opening.game) }
        self.kind = kind
        options = opening.options
        visibility = opening.visibility
        host = opening.host
        seed = opening.seed
        phase = .waiting
        return true
    }

    private mutating func start(_ start: RoomEvent.GameStart, at time: Milliseconds) -> Bool {
        guard let kind, phase == .waiting || phase == .ended else { return false }
        let gameSeed = self.gameSeed
        guard
            let game = kind.started(
                options: start.options, fields: start.gameFields, players: start.players.map(\.seat),
                first: start.first,
                seed: gameSeed, at: time)
        else { return false }
        self.game = game
        gameNumber = start.number
        first = start.first
        lastStart = start
        lastEnd = nil
        playing = Dictionary(start.players.map { ($0.seat, $0.player) }) { first, _ in first }
        phase = .running
        return true
    }
}
