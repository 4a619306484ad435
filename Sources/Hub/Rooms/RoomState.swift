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
        case waiting, dealing, running, ended, closed
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
    /// Who opened the room, and when.
    private(set) var opener: PlayerID = ""
    private(set) var openedAt: Milliseconds = 0
    /// Who holds which seat, playing or not.
    private(set) var seats: [Seat: PlayerID] = [:]
    /// The holders of seats, the longest-seated first.
    private(set) var seatedOrder: [PlayerID] = []
    /// What the holders of seats promised to put into the next draw.
    private(set) var commitments: [Seat: Digest] = [:]
    /// The levels of the computers: of those that hold a seat themselves, and of those that play for somebody.
    private(set) var computers: [Seat: String] = [:]
    /// Seats for whose players a computer has played in the newest game.
    private(set) var helped: Set<Seat> = []
    private(set) var muted: Set<PlayerID> = []
    private(set) var banned: Set<PlayerID> = []
    /// Of the next game, or of the running one.
    private(set) var seed: ServerSeed?
    private(set) var gameNumber = 0
    /// The game that is about to be dealt.
    private(set) var dealing: Dealing?
    /// The first seat of the newest game.
    private(set) var first: Seat?
    /// Who plays in the running game and has not left it.
    private(set) var playing: [Seat: PlayerID] = [:]
    /// The running game, or the last one as it ended.
    private(set) var game: (any Game)?
    private(set) var lastStart: RoomEvent.GameStart?
    /// The version and the time of the newest `game-started`.
    private(set) var startVersion = 0
    private(set) var startedAt: Milliseconds = 0
    private(set) var lastEnd: RoomEvent.GameEnd?
    /// The outages that `clock-extended` has already made up for end here.
    private(set) var extendedUntil: Milliseconds = 0

    init(code: String) {
        self.code = code
        head = StreamName.room(code).origin
    }

    /// When something happens by itself; nil if nothing will.
    var deadline: Milliseconds? { phase == .running ? game?.deadline : dealing?.deadline }

    /// The seat of `player`, playing or not.
    func seat(of player: PlayerID) -> Seat? { seats.first { $0.value == player }?.key }

    /// Whether a computer plays at this seat for a player who is not there.
    func isHelped(_ seat: Seat) -> Bool {
        guard computers[seat] != nil, let player = playing[seat] else { return false }
        return !isComputer(player)
    }

    /// Computers that hold a seat bear an id of their own, which no player's can be.
    static func computer(at seat: Seat) -> PlayerID { "bot-\(seat.rawValue)" }
    func isComputer(_ player: PlayerID) -> Bool { player.hasPrefix("bot-") }

    /// Everybody whose name members may need.
    var players: Set<PlayerID> {
        var players = Set(seats.values).union(lastStart?.players.map(\.player) ?? [])
        players.insert(host)
        players.formUnion(banned.union(muted))
        return players.filter { !isComputer($0) }
    }

    /// What the running game was, or the next one would be, dealt from with these nonces; nil in a fold of the public
    /// log, and for games that are not dealt.
    func gameSeed(_ nonces: [Seat: [UInt8]]) -> Digest? {
        guard let seed = seed?.bytes.flatMap({ Digest(bytes: $0) }) else { return nil }
        return Games.gameSeed(serverSeed: seed, nonces: nonces)
    }

    // MARK: The fold

    /// Why a record cannot follow on this state: a log that was not written by this program, or was altered.
    enum FoldError: Error, Equatable {
        case wrongVersion(expected: Int, found: Int)
        case unreadable(version: Int, type: String)
        /// The event does not fit the state before it.
        case unfitting(version: Int, type: String)
        case unknownGame(String)

        /// What is wrong with the record, for whoever knows which one it is.
        var sentence: String {
            switch self {
            case .wrongVersion(let expected, _): "version \(expected) was expected"
            case .unreadable: "it is no event of a room"
            case .unfitting: "it does not follow from what happened before, or from the deck"
            case .unknownGame(let name): "there is no game `\(name)` here"
            }
        }
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
        if case .gameStarted = event { (startVersion, startedAt) = (record.version, record.event.time) }
        version = record.version
        head = record.hash
        time = max(time, record.event.time)
    }

    /// False where the event does not fit. Also runs on events that are not in the log yet, to see what would follow.
    mutating func apply(_ event: RoomEvent, at time: Milliseconds) throws(FoldError) -> Bool {
        switch event {
        case .opened(let opening): return try open(opening, at: time)
        case .seatTaken(let seated): return take(seated)
        case .seatFreed(let seat, let player, _):
            guard seats[seat] == player else { return false }
            free(seat)
        case .playerLeft(let leaving):
            guard playing[leaving.seat] == leaving.player else { return false }
            playing[leaving.seat] = nil
            if seats[leaving.seat] == leaving.player { free(leaving.seat) }
            game?.applyLeaving(of: leaving.seat, at: time)
        case .seatHelped(let seat, let level):
            guard playing[seat] != nil else { return false }
            computers[seat] = level
            helped.insert(seat)
        case .seatReturned(let seat):
            guard playing[seat] != nil, isHelped(seat) else { return false }
            computers[seat] = nil
        case .hostChanged(let player): host = player
        case .playerMuted(let player, let isMuted): muted.set(player, isMuted)
        case .playerBanned(let player, let isBanned): banned.set(player, isBanned)
        case .optionsChanged(let options): self.options = options
        case .dealing(let dealing):
            guard phase == .waiting || phase == .ended else { return false }
            self.dealing = dealing
            phase = .dealing
        case .ready(let seat, let nonce, let next):
            guard let dealing, dealing.awaited.contains(seat),
                dealing.start.players.contains(where: {
                    $0.seat == seat && $0.commitment == nonce.commitment
                })
            else { return false }
            self.dealing?.open(nonce, of: seat)
            commitments[seat] = next
        case .gameStarted(let start): return self.start(start, at: time)
        case .clockExtended(let span, let until, _):
            extendedUntil = max(extendedUntil, until)
            dealing?.deadline += span
            if phase == .running { game?.extendClock(by: span) }
        case .gameEnded(let end):
            guard phase == .running else { return false }
            phase = .ended
            lastEnd = end
            seed = end.seed
            for seat in computers.keys where isHelped(seat) { computers[seat] = nil }
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

    private mutating func open(_ opening: RoomEvent.Opening, at time: Milliseconds) throws(FoldError) -> Bool {
        guard phase == .unopened else { return false }
        guard let kind = GameList.game(named: opening.game) else { throw .unknownGame(opening.game) }
        self.kind = kind
        options = opening.options
        visibility = opening.visibility
        host = opening.host
        (opener, openedAt) = (opening.host, time)
        seed = opening.seed
        phase = .waiting
        return true
    }

    private mutating func take(_ seated: SeatedPlayer) -> Bool {
        let seat = seated.seat
        guard seats[seat] == nil || seats[seat] == seated.player else { return false }
        guard self.seat(of: seated.player) ?? seat == seat else { return false }
        if seats[seat] == nil { seatedOrder.append(seated.player) }
        seats[seat] = seated.player
        commitments[seat] = seated.commitment
        if let level = seated.level { computers[seat] = level }
        return true
    }

    private mutating func free(_ seat: Seat) {
        let player = seats.removeValue(forKey: seat)
        seatedOrder.removeAll { $0 == player }
        commitments[seat] = nil
        computers[seat] = nil
    }

    private mutating func start(_ start: RoomEvent.GameStart, at time: Milliseconds) -> Bool {
        guard let kind, phase == .waiting || phase == .ended || phase == .dealing else { return false }
        // What nobody promised is no part of the draw.
        guard start.players.allSatisfy({ $0.nonce == nil || $0.nonce?.commitment == $0.commitment }),
            dealing.map({ $0.start.players == start.players }) ?? start.players.nonces.isEmpty
        else { return false }
        guard
            let game = kind.started(
                options: start.options, fields: start.gameFields, players: start.players.map(\.seat),
                first: start.first, seed: gameSeed(start.players.nonces), at: time)
        else { return false }
        self.game = game
        gameNumber = start.number
        first = start.first
        lastStart = start
        lastEnd = nil
        dealing = nil
        helped = []
        playing = Dictionary(start.players.map { ($0.seat, $0.player) }) { first, _ in first }
        phase = .running
        return true
    }
}

extension Set {
    fileprivate mutating func set(_ member: Element, _ isIn: Bool) {
        if isIn { insert(member) } else { remove(member) }
    }
}
