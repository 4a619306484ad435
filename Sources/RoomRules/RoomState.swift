import Cryptography
import Games
import Records

/// A room: the fold over its log. The live room, recovery, replay and checks all run it; it holds the fold of the
/// running game, and what the room's own events have said.
public struct RoomState: Sendable {
    /// Most seats that a room of any game can have.
    static let seatLimit = 16
    /// No time of a room is later: the largest whole number that JSON's readers agree on.
    private static let timeLimit: Milliseconds = 1 << 53

    public enum Phase: String, Sendable {
        /// Nothing in the log yet.
        case unopened
        case waiting, dealing, running, ended, closed
    }

    /// Of the last event; 0 before the first.
    public private(set) var version = 0
    /// The hash of the last record (StreamName.origin before the first).
    public private(set) var head: Digest
    /// The time of the last event: no later one has a smaller.
    public private(set) var time: Milliseconds = 0
    /// When something happened last, time that did not count added: an outage is nothing that happened in the room.
    public var usedAt: Milliseconds = 0
    /// The running game, or the last one as it ended.
    public var game: (any Game)?
    /// A state is copied with each decision, and its facts are many: all states between two changes of them share one.
    private(set) var shared: Shared
    /// Set by events of the room's own. Read as properties of the state, which takes no copy of all.
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

    /// Whether all is folded that a snapshot leaves out.
    public var isWhole: Bool { lastStart == nil || game != nil }

    /// How far its newest event is ahead of `now`: it was written by a wrong clock, and the room goes on from there.
    public func lead(at now: Milliseconds) -> Milliseconds { max(0, time - now) }

    /// Where the stream ends that this is the fold of.
    public var end: StreamEnd { StreamEnd(version: version, head: head) }

    /// Before the room's first event.
    public init(code: String, games: GameCatalog) {
        shared = Shared(RoomFacts(code: code, games: games))
        head = StreamName.room(code).origin
    }

    /// A fold that was kept (`RoomSnapshot`).
    init(kept facts: RoomFacts, end: StreamEnd, time: Milliseconds, usedAt: Milliseconds) {
        shared = Shared(facts)
        (version, head, self.time, self.usedAt) = (end.version, end.head, time, usedAt)
    }

    /// When something happens by itself; nil if nothing will.
    public var deadline: Milliseconds? { earlier(playDeadline, proposal?.deadline) }

    /// When something happens in the game by itself, or in its deal; nil if nothing will.
    var playDeadline: Milliseconds? {
        // Whatever a game says: what is computed with it fits.
        phase == .running ? game?.deadline.map { min(max($0, 0), Self.timeLimit) } : dealing?.deadline
    }

    /// Who holds which seat, playing or not.
    public var seats: [Seat: PlayerID] { seating.holders }
    var commitments: [Seat: Digest] { seating.commitments }
    public var computers: [Seat: String] { seating.computers }
    public func seat(of player: PlayerID) -> Seat? { seating.seat(of: player) }

    /// Whether a computer plays at this seat for a player who is not there.
    public func isHelped(_ seat: Seat) -> Bool {
        guard computers[seat] != nil, let player = playing[seat] else { return false }
        return !isComputer(player)
    }

    /// Computers that hold a seat bear an id of their own, which no player's can be.
    static func computer(at seat: Seat) -> PlayerID { "bot-\(seat.rawValue)" }
    public static func isComputer(_ player: PlayerID) -> Bool { player.utf8.starts(with: "bot-".utf8) }
    public func isComputer(_ player: PlayerID) -> Bool { Self.isComputer(player) }

    /// Everybody whose name members may need, each once, in order.
    public var players: [PlayerID] {
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
    public enum FoldError: Error, Equatable {
        case wrongVersion(expected: Int, found: Int)
        case unreadable(version: Int, type: String)
        /// The event does not fit the state before it.
        case unfitting(version: Int, type: String)
        case unknownGame(String)

        /// What is wrong, and with which record.
        public func reason(at record: Record) -> String {
            "record \(record.version), \(record.event.type): \(sentence)"
        }

        /// What is wrong with the record, for whoever knows which one it is.
        public var sentence: String {
            switch self {
            case .wrongVersion(let expected, _): "version \(expected) was expected"
            case .unreadable: "it is no event of a room that this release knows; a later one may have written it"
            case .unfitting: "it does not follow from what happened before, or from the deck"
            case .unknownGame(let name): "there is no game `\(name)` in this release"
            }
        }
    }

    /// Records `record`: the only way in which a room changes.
    public mutating func apply(_ record: Record) throws(FoldError) {
        guard record.version == version + 1 else {
            throw .wrongVersion(expected: version + 1, found: record.version)
        }
        // What is added to a time must not overflow.
        guard let event = EventCoding.decode(record), (0...Self.timeLimit).contains(record.event.time),
            shared.value.games.reads(record.event.type)
        else {
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
        if !(event.own is ClockExtended) { usedAt = self.time }
        return true
    }

    /// The events that have been applied so far are in the log, and the last of them has `head`.
    mutating func settle(head: Digest) { self.head = head }

    private mutating func fold(_ event: RoomEvent, at time: Milliseconds) throws(FoldError) -> Bool {
        switch event {
        case .own(let event): return try event.fold(into: &self, at: time)
        case .game(let step):
            guard phase == .running, game?.apply(step, at: time) == true else { return false }
            // Somebody marked away is not waited for.
            if proposal != nil, let game { facts.proposal?.stopAsking { game.isAway($0) } }
            return true
        }
    }
}
