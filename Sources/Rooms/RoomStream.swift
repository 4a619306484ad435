import Cryptography
import EventStore
import Games
import JSON
import Records
import RoomRules

/// Reads a room's stream and folds it once, for the home and the edge of the room, which both read this state.
public final class RoomStream {
    /// A stream that cannot be read this many times in a row, though the log is up, does not open.
    static let readingLimit = 10
    /// A stream that could not be read is tried again after this pause.
    static let retryPause: Milliseconds = 1_000

    enum Life: Equatable {
        /// The stream is being read.
        case loading
        /// Read; the names of the room's players are being looked up.
        case naming
        case awake
        /// The stream has no records: there is no such room.
        case absent
        /// The log cannot be read or does not fit together: the room does not open.
        case broken
        /// It could not be read while the log is down. The next visitor makes it try again.
        case unread
    }

    let name: StreamName
    var life = Life.loading
    /// Only records of the log change it.
    private(set) var state: RoomState
    /// While the stream is folded again: the fold so far, which replaces `state` when all is read.
    private var anew: RoomState?
    /// The fold before the newest record with a sealed part. A snapshot is folded on from here.
    private var unsealed: RoomState
    /// The version of the newest snapshot that was taken or started from.
    private var keptVersion = 0
    /// Whether `state` continues from a snapshot.
    private var beganWithSnapshot = false
    /// The newest commands that are in the log.
    private(set) var answered = AnsweredCommands()
    /// Whether the newest reading began with the first record.
    private(set) var readsFromStart = true
    private let surroundings: RoomSurroundings
    private let timer: RoomTimer
    /// Gets what is read: the room, which owns this.
    private weak var reader: Room?
    private(set) var ticket: Ticket = 0
    /// How far the room's newest event is ahead of hub time, if a wrong clock wrote it. The room continues from there.
    /// Otherwise 0.
    private(set) var lead: Milliseconds = 0
    /// Times in a row that it could not be read.
    private var failedReadings = 0
    /// Kept for all greetings before the next event.
    private var keptViews: [UInt8]?

    init(code: String, surroundings: RoomSurroundings, timer: RoomTimer) {
        name = .room(code)
        self.surroundings = surroundings
        self.timer = timer
        state = RoomState(code: code, games: surroundings.games)
        unsealed = state
    }

    var isAwake: Bool { life == .awake }

    /// The time in this room. No event is earlier than the one before it.
    public var now: Milliseconds { surroundings.now + lead }

    // MARK: Reading

    /// Reads what is not in the state yet, and follows the stream from then on. The newest known record is read again,
    /// since it must still be there.
    func follow(for reader: Room) {
        self.reader = reader
        readsFromStart = readVersion == 0
        ticket = surroundings.log.ticket(for: reader)
        surroundings.log.follow(name, after: max(0, readVersion - 1), ticket: ticket)
    }

    /// Whether nothing of it has been read.
    var isUnread: Bool { anew == nil && state.version == 0 }

    /// Continues from a snapshot, if the log matches it.
    func continueFrom(_ snapshot: RoomSnapshot) {
        (state, unsealed, answered) = (snapshot.state, snapshot.state, snapshot.answered)
        (keptVersion, beganWithSnapshot) = (snapshot.state.version, true)
    }

    /// Whether the fold is right only if the log matches the snapshot that it began with.
    var restsOnSnapshot: Bool { anew == nil && beganWithSnapshot }

    /// A snapshot to keep, once another game has begun after it; nil if the one before is near enough.
    func takeSnapshot() -> RoomSnapshot? {
        guard unsealed.version - keptVersion >= surroundings.limits.snapshotDistance,
            let snapshot = RoomSnapshot(unsealed, answered: answered)
        else { return nil }
        keptVersion = unsealed.version
        return snapshot
    }

    /// Whether everything has been read that a snapshot leaves out.
    var isWhole: Bool { (anew ?? state).isWhole }

    /// Stops following the log.
    func unfollow() {
        surroundings.log.unfollow(ticket)
    }

    /// The newest version that has been read and folded.
    var readVersion: Int { anew?.version ?? state.version }
    /// With the hash of its record.
    var readEnd: StreamEnd { anew?.end ?? state.end }
    var isReadAnew: Bool { anew != nil }

    /// The stream will be folded from its beginning. The state stays as it is until that is done.
    func foldAnew() {
        unsealed = RoomState(code: state.code, games: surroundings.games)
        (life, anew, keptVersion, answered) = (.loading, unsealed, 0, AnsweredCommands())
    }

    /// Reads the stream again to see whether something was written. Nothing is judged before that.
    func readAgain() {
        unfollow()
        life = .loading
        if let reader { follow(for: reader) }
    }

    /// It could not be read, and is tried again later; false after too many attempts.
    func retriesLater() -> Bool {
        failedReadings += 1
        guard failedReadings < Self.readingLimit else { return false }
        readLater()
        return true
    }

    /// The log was too busy to read it. That says nothing against the stream, however often it happens.
    func readLater() { timer.set(stream: surroundings.now + Self.retryPause) }

    /// The state has all that was there when the reading began. Returns by how much the room's clock was put forward.
    func caughtUp() -> Milliseconds {
        failedReadings = 0
        if let folded = anew {
            (state, anew, keptViews) = (folded, nil, nil)
            beganWithSnapshot = false
        }
        let behind = state.lead(at: now)
        lead += behind
        return behind
    }

    /// The room cannot continue.
    func fail(_ reason: String) { reader?.streamFailed(reason) }

    /// The log differs from what is folded, or has less.
    func goneBack() { reader?.streamHasGoneBack() }

    // MARK: Folding

    /// Folds the first of `records`, and returns how many. If they are what was `decided`, this is the whole append,
    /// whose fold is known already. Otherwise one record is read and folded.
    func fold(_ records: ArraySlice<Record>, decided: Decision?) throws(RoomState.FoldError) -> Int {
        keptViews = nil
        if anew == nil, let decided {
            let sealed = records.firstIndex(where: Self.hasSeed)
            var before = sealed == nil ? nil : state
            if let count = decided.moveState(into: &state, if: records) {
                if let sealed, sealed < records.startIndex + count {
                    for record in records[..<sealed] { try before?.apply(record) }
                    if let before { unsealed = before }
                }
                return count
            }
        }
        guard let first = records.first else { return 0 }
        if Self.hasSeed(first) { unsealed = anew ?? state }
        if anew != nil { try anew?.apply(first) } else { try state.apply(first) }
        return 1
    }

    /// Whether a part of it is sealed, here or in the log.
    private static func hasSeed(_ record: Record) -> Bool {
        record.event.type == GameEnded.type || record.event.type == RoomOpened.type
    }

    /// Remembers the commands of these records, which are in the log and in the state.
    func rememberCommands(in records: [Record]) { answered.rememberCommands(of: records) }
}

// What an edge sees of a room: only what anyone can fold out of the events that were shown.
extension RoomStream {
    var code: String { state.code }
    var version: Int { state.version }
    /// The hash of the last record.
    var head: Digest { state.head }
    var host: PlayerID { state.host }
    /// Every player whose name members may need, each once, in order.
    var players: [PlayerID] { state.players }
    /// Players with a seat, computers too, in the order of seats.
    var seated: [PlayerID] { state.seats.sorted { $0.key < $1.key }.map(\.value) }
    func seat(of player: PlayerID) -> Seat? { state.seat(of: player) }
    func isMuted(_ player: PlayerID) -> Bool { state.muted.contains(player) }
    func isBanned(_ player: PlayerID) -> Bool { state.banned.contains(player) }
    /// The parts of `welcome` that are the same for everyone, in JSON, to follow other fields: the room's view and the
    /// game's.
    var writtenViews: [UInt8] {
        if let keptViews { return keptViews }
        let views = JSONWriter.followers([
            "room": .object(state.roomView), "view": state.gameView.map { .object($0) } ?? .null,
        ])
        keptViews = views
        return views
    }
    /// As in `GET /api/rooms`.
    var summary: Fields { state.summary }
}
