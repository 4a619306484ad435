import Cryptography
import EventStore
import Games

/// A room: the fold over its log. The live room, recovery, replay and checks all run it; it holds the fold of the
/// running game. Its properties are many because a room is: each is one thing that events have said of it, and nothing
/// but the fold sets them.
struct RoomState: Sendable {
    /// Most seats that a room of any game can have.
    static let seatLimit = 16
    /// No time of a room is later: the largest whole number that JSON's readers agree on.
    private static let timeLimit: Milliseconds = 1 << 53

    enum Phase: String, Sendable {
        /// Nothing in the log yet.
        case unopened
        case waiting, dealing, running, ended, closed
    }

    /// Whether a game runs or is being dealt.
    var isInGame: Bool { phase == .running || phase == .dealing }

    let code: String
    private let games: GameCatalog
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
    private(set) var seating = Seating()
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

    /// Where the stream ends that this is the fold of.
    var end: StreamEnd { StreamEnd(version: version, head: head) }

    /// Before the room's first event. It is opened with one of `games`.
    init(code: String, games: GameCatalog) {
        (self.code, self.games) = (code, games)
        head = StreamName.room(code).origin
    }

    /// When something happens by itself; nil if nothing will.
    var deadline: Milliseconds? {
        // Whatever a game says: what is computed with it fits.
        phase == .running ? game?.deadline.map { min(max($0, 0), Self.timeLimit) } : dealing?.deadline
    }

    /// Who holds which seat, playing or not.
    var seats: [Seat: PlayerID] { seating.holders }
    var commitments: [Seat: Digest] { seating.commitments }
    var computers: [Seat: String] { seating.computers }
    func seat(of player: PlayerID) -> Seat? { seating.seat(of: player) }

    /// Whether a computer plays at this seat for a player who is not there.
    func isHelped(_ seat: Seat) -> Bool {
        guard computers[seat] != nil, let player = playing[seat] else { return false }
        return !isComputer(player)
    }

    /// Computers that hold a seat bear an id of their own, which no player's can be.
    static func computer(at seat: Seat) -> PlayerID { "bot-\(seat.rawValue)" }
    func isComputer(_ player: PlayerID) -> Bool { player.hasPrefix("bot-") }

    /// Everybody whose name members may need, each once, in order.
    var players: [PlayerID] {
        var players = Set(seats.values).union(lastStart?.players.map(\.player) ?? [])
        players.insert(host)
        players.formUnion(banned.union(muted))
        return players.filter { !isComputer($0) }.sorted()
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
        // What is added to a time must not overflow.
        guard let event = EventCoding.decode(record), (0...Self.timeLimit).contains(record.event.time) else {
            throw .unreadable(version: record.version, type: record.event.type)
        }
        guard try apply(event, at: record.event.time) else {
            throw .unfitting(version: record.version, type: record.event.type)
        }
        head = record.hash
    }

    /// Records the next event; false, with nothing changed, where it does not fit. Also runs on events that are not in
    /// the log yet, to see what would follow: then `head` is still that of the last record.
    mutating func apply(_ event: RoomEvent, at time: Milliseconds) throws(FoldError) -> Bool {
        guard try fold(event, at: time) else { return false }
        version += 1
        self.time = max(self.time, time)
        if case .gameStarted = event { (startVersion, startedAt) = (version, time) }
        return true
    }

    /// The events that have been applied so far are in the log, and the last of them has `head`.
    mutating func settle(head: Digest) { self.head = head }

    private mutating func fold(_ event: RoomEvent, at time: Milliseconds) throws(FoldError) -> Bool {
        switch event {
        case .opened(let opening): return try open(opening, at: time)
        case .seatTaken(let seated): return seating.take(seated)
        case .seatFreed(let seat, let player, _):
            guard seats[seat] == player else { return false }
            seating.free(seat)
        case .playerLeft(let leaving):
            guard playing[leaving.seat] == leaving.player else { return false }
            playing[leaving.seat] = nil
            if seats[leaving.seat] == leaving.player { seating.free(leaving.seat) }
            game?.applyLeaving(of: leaving.seat, at: time)
        case .seatHelped(let seat, let level):
            guard playing[seat] != nil else { return false }
            seating.computers[seat] = level
            helped.insert(seat)
        case .seatReturned(let seat):
            guard playing[seat] != nil, isHelped(seat) else { return false }
            seating.computers[seat] = nil
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
            seating.commitments[seat] = next
        case .gameStarted(let start): return self.start(start, at: time)
        case .clockExtended(let span, let until, _):
            extendedUntil = max(extendedUntil, until)
            dealing?.deadline &+= span
            if phase == .running { game?.extendClock(by: span) }
        case .gameEnded(let end):
            if let dealing {
                // A game that could not be dealt: the one before it, if any, is still what there is to see.
                guard end.reason == .fault else { return false }
                gameNumber = dealing.start.number
                self.dealing = nil
            } else {
                guard phase == .running else { return false }
            }
            phase = lastStart == nil ? .waiting : .ended
            lastEnd = end
            seed = end.seed
            for seat in playing.keys where isHelped(seat) { seating.computers[seat] = nil }
            playing = [:]
        case .closed: phase = .closed
        case .game(let step):
            guard phase == .running, var running = game else { return false }
            // Taken out of the state while it changes, so that its arrays are not copied.
            game = nil
            defer { game = running }
            return running.apply(step, at: time)
        }
        return true
    }

    private mutating func open(_ opening: RoomEvent.Opening, at time: Milliseconds) throws(FoldError) -> Bool {
        guard phase == .unopened else { return false }
        guard let kind = games.game(named: opening.game) else { throw .unknownGame(opening.game) }
        self.kind = kind
        options = opening.options
        visibility = opening.visibility
        host = opening.host
        (opener, openedAt) = (opening.host, time)
        seed = opening.seed
        phase = .waiting
        return true
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
