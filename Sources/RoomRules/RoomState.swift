import Cryptography
import Games
import Records

/// A room, as the fold of its log. Live rooms, recovery, replay and checks all use it. It holds the running game and
/// everything that the room's own events say.
public struct RoomState: Sendable {
    /// Most seats that a room of any game can have: as many as the page has colours and marks for.
    static let seatLimit = 8
    /// No time of a room is later. This is the largest whole number that all readers of JSON agree on.
    private static let timeLimit: Milliseconds = 1 << 53

    /// The `status` of a room in messages.
    public enum Phase: String, Sendable {
        /// The log is empty.
        case unopened
        /// `waiting` is before the first game, and `ended` after any game.
        case waiting, dealing, running, ended, closed
    }

    /// The version of the last event; 0 before the first.
    public private(set) var version = 0
    /// The hash of the last record; `StreamName.origin` before the first.
    public private(set) var head: Digest
    /// The time of the last event. It never goes back.
    public private(set) var time: Milliseconds = 0
    /// When something last happened in the room, plus later time that does not count. An outage does not count as
    /// something that happened.
    public internal(set) var usedAt: Milliseconds = 0
    /// The running game, or the last one as it ended; nil before the first, and in a snapshot.
    public internal(set) var game: (any Game)?
    /// What that game's events have sealed, in order, and their versions; empty in a snapshot.
    public internal(set) var seals: [Seal] = []
    /// Each decision copies the state, and a room has many facts. Copies share them until one changes.
    private(set) var shared: Shared
    /// For changes. Properties of the state read single facts without a copy of all.
    var facts: RoomFacts {
        get { shared.value }
        set { shared = Shared(newValue) }
    }

    final class Shared: Sendable {
        let value: RoomFacts

        init(_ facts: RoomFacts) { value = facts }
    }

    /// Whether a game runs or is being dealt.
    public var isInGame: Bool { phase == .running || phase == .dealing }

    /// Whether nothing is missing. After a snapshot the game is missing until the next one starts.
    public var isWhole: Bool { lastStart == nil || game != nil }

    /// How far the newest event is ahead of `now`, because a wrong clock wrote it. The room continues from its time.
    public func lead(at now: Milliseconds) -> Milliseconds { max(0, time - now) }

    /// The end of what has been folded.
    public var end: StreamEnd { StreamEnd(version: version, head: head) }

    /// Before the room's first event.
    public init(code: String, games: GameCatalog) {
        shared = Shared(RoomFacts(code: code, games: games))
        head = StreamName.room(code).origin
    }

    /// From a `RoomSnapshot`.
    init(kept facts: RoomFacts, end: StreamEnd, time: Milliseconds, usedAt: Milliseconds) {
        shared = Shared(facts)
        (version, head, self.time, self.usedAt) = (end.version, end.head, time, usedAt)
    }

    /// When something happens by itself; nil if nothing will.
    public var deadline: Milliseconds? { earlier(playDeadline, proposal?.deadline) }

    /// The same, only for the game or its deal.
    var playDeadline: Milliseconds? {
        // Computing with a game's deadline must not overflow.
        phase == .running ? game?.deadline.map { min(max($0, 0), Self.timeLimit) } : dealing?.deadline
    }

    /// The holder of each seat that is taken, playing or not.
    public var seats: [Seat: PlayerID] { seating.holders }
    var commitments: [Seat: Digest] { seating.commitments }
    /// The levels of computers, whether they have a seat of their own or play for a player.
    public var computers: [Seat: String] { seating.computers }
    /// Nil if the player has no seat.
    public func seat(of player: PlayerID) -> Seat? { seating.seat(of: player) }

    /// Whether a computer plays this seat for its player.
    public func isHelped(_ seat: Seat) -> Bool {
        guard computers[seat] != nil, let player = playing[seat] else { return false }
        return !isComputer(player)
    }

    /// The id of a computer with its own seat. No player has such an id.
    static func computer(at seat: Seat) -> PlayerID { "bot-\(seat.rawValue)" }
    /// Whether the id is that of a computer with its own seat.
    public static func isComputer(_ player: PlayerID) -> Bool { player.utf8.starts(with: "bot-".utf8) }
    /// As `RoomState.isComputer`.
    public func isComputer(_ player: PlayerID) -> Bool { Self.isComputer(player) }

    /// All players whose names members may need, each once, in ascending order.
    public var players: [PlayerID] {
        var players = Set(seats.values).union(lastStart?.players.map(\.player) ?? [])
        players.insert(host)
        players.formUnion(banned.union(muted))
        return players.filter { !isComputer($0) }.sorted()
    }

    /// The seed of the running or next game, with these nonces; nil in a fold of the public log, and for games that are
    /// not dealt.
    func gameSeed(_ nonces: [Seat: [UInt8]]) -> Digest? {
        guard let seed = seed?.bytes.flatMap({ Digest(bytes: $0) }) else { return nil }
        return Games.gameSeed(serverSeed: seed, nonces: nonces)
    }

    // MARK: The fold

    /// Why a record cannot be folded. The log was altered, or another release or program wrote it.
    public enum FoldError: Error, Equatable {
        /// A record is missing or repeated.
        case wrongVersion(expected: Int, found: Int)
        /// It is not an event that this release knows.
        case unreadable(version: Int, type: String)
        /// The event does not fit the state before it.
        case unfitting(version: Int, type: String)
        /// This release does not have the room's game.
        case unknownGame(String)

        /// What is wrong, and with which record.
        public func reason(at record: Record) -> String {
            "record \(record.version), \(record.event.type): \(sentence)"
        }

        /// What is wrong, without saying with which record.
        public var sentence: String {
            switch self {
            case .wrongVersion(let expected, _): "version \(expected) was expected"
            case .unreadable: "this release cannot read it; a later one may have written it"
            case .unfitting: "it does not fit the events before it, or the deck"
            case .unknownGame(let name): "there is no game `\(name)` in this release"
            }
        }
    }

    /// Folds the next record. A room changes in no other way.
    public mutating func apply(_ record: Record) throws(FoldError) {
        guard record.version == version + 1 else {
            throw .wrongVersion(expected: version + 1, found: record.version)
        }
        // Adding to a time must not overflow.
        guard let event = EventCoding.decode(record), (0...Self.timeLimit).contains(record.event.time),
            shared.value.games.reads(record.event.type)
        else { throw .unreadable(version: record.version, type: record.event.type) }
        guard try apply(event, at: record.event.time) else {
            throw .unfitting(version: record.version, type: record.event.type)
        }
        head = record.hash
    }

    /// Folds the next event; false, with nothing changed, if it does not fit. Decisions also fold events that are not
    /// in the log yet, and `head` is then still that of the last record.
    mutating func apply(_ event: RoomEvent, at time: Milliseconds) throws(FoldError) -> Bool {
        guard try fold(event, at: time) else { return false }
        version += 1
        self.time = max(self.time, time)
        if !(event.own is ClockExtended) { usedAt = self.time }
        return true
    }

    /// The log now has all events that have been folded, and `head` is the hash of the last.
    mutating func settle(head: Digest) { self.head = head }

    private mutating func fold(_ event: RoomEvent, at time: Milliseconds) throws(FoldError) -> Bool {
        switch event {
        case .own(let event): return try event.fold(into: &self, at: time)
        case .game(let step):
            guard phase == .running, game?.apply(step, at: time) == true else { return false }
            if let sealed = step.sealed { seals.append(Seal(version: version + 1, sealed: sealed)) }
            // No one waits for a player who is marked away.
            if proposal != nil, let game { facts.proposal?.stopAsking { game.isAway($0) } }
            return true
        }
    }
}
