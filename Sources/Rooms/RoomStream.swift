import Cryptography
import EventStore
import Games
import JSON
import Records
import RoomRules

/// Reads a room's stream and folds it: once, for the home and the edge of the room, which both read this state.
public final class RoomStream {
    /// A stream that cannot be read for so many times in a row, though the log is up, does not open.
    static let readingLimit = 10
    /// What could not be read is tried again after so long.
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
        /// It could not be read while the log is down: whoever asks next has it tried again.
        case unread
    }

    let name: StreamName
    var life = Life.loading
    /// Changes by records of the log alone.
    private(set) var state: RoomState
    /// While a part of the stream is folded once more: the fold so far, which takes the place of `state` when all is
    /// read.
    private var anew: RoomState?
    /// The fold ahead of the newest record that has something sealed: who reads a snapshot folds on from here.
    private var unsealed: RoomState
    /// The version of the newest snapshot that was taken, or begun with.
    private var keptVersion = 0
    /// Whether `state` goes on from a snapshot.
    private var beganWithSnapshot = false
    /// The newest commands that are in the log.
    private(set) var answered = AnsweredCommands()
    /// Whether the newest reading began with the first record.
    private(set) var readsFromStart = true
    private let surroundings: RoomSurroundings
    private let timer: RoomTimer
    /// Who gets what the stream says: the room, which owns this.
    private weak var reader: (any StreamReader)?
    private(set) var ticket: Ticket = 0
    /// How far the room's newest event is ahead of hub time: it was written by a wrong clock, and the room goes on from
    /// there. Otherwise 0.
    public private(set) var lead: Milliseconds = 0
    /// Times in a row that it could not be read.
    private var failedReadings = 0
    /// Kept for all who are welcomed before the next event.
    private var keptViews: [UInt8]?

    init(code: String, surroundings: RoomSurroundings, timer: RoomTimer) {
        name = .room(code)
        self.surroundings = surroundings
        self.timer = timer
        state = RoomState(code: code, games: surroundings.games)
        unsealed = state
    }

    var isAwake: Bool { life == .awake }

    /// What time it is in this room. No event is from before the one before it.
    public var now: Milliseconds { surroundings.now + lead }

    // MARK: Reading

    /// Reads what is not in the state yet, and follows the stream from then on. The newest record that is known is told
    /// once more: it must still be there.
    func follow(for reader: any StreamReader) {
        self.reader = reader
        readsFromStart = readVersion == 0
        ticket = surroundings.ticket(for: reader)
        surroundings.log.follow(name, after: max(0, readVersion - 1), ticket: ticket, into: surroundings.inbox)
    }

    /// Nothing of it is known, and all of it is to be read.
    var isUnread: Bool { anew == nil && state.version == 0 }

    /// What is read goes on from here, where the log bears it out.
    func begin(with snapshot: RoomSnapshot) {
        (state, unsealed, answered) = (snapshot.state, snapshot.state, snapshot.answered)
        (keptVersion, beganWithSnapshot) = (snapshot.state.version, true)
    }

    /// Whether what is folded is right only if the log bears out the snapshot that it began with.
    var restsOnSnapshot: Bool { anew == nil && beganWithSnapshot }

    /// A snapshot to be kept, once another game has begun behind it; nil where the one before is near enough.
    func takeSnapshot() -> RoomSnapshot? {
        guard unsealed.version - keptVersion >= surroundings.limits.snapshotDistance,
            let snapshot = RoomSnapshot(unsealed, answered: answered)
        else { return nil }
        keptVersion = unsealed.version
        return snapshot
    }

    /// Whether all is read that a snapshot leaves out.
    var isWhole: Bool { (anew ?? state).isWhole }

    /// Lets go of the log.
    func unfollow() {
        surroundings.log.unfollow(ticket, into: surroundings.inbox)
        surroundings.end(ticket)
    }

    /// The newest version that has been read and folded.
    var readVersion: Int { anew?.version ?? state.version }
    /// With the hash of its record.
    var readEnd: StreamEnd { anew?.end ?? state.end }
    var isReadAnew: Bool { anew != nil }

    /// The stream is to be folded from its beginning. Until that is done the state stays what it is.
    func foldAnew() {
        unsealed = RoomState(code: state.code, games: surroundings.games)
        (life, anew, keptVersion, answered) = (.loading, unsealed, 0, AnsweredCommands())
    }

    /// Whether something was written is told by the stream itself: nothing is judged before it has been read.
    func readAgain() {
        unfollow()
        life = .loading
        if let reader { follow(for: reader) }
    }

    /// It could not be read: false where that has been tried often enough.
    func retriesLater() -> Bool {
        failedReadings += 1
        guard failedReadings < Self.readingLimit else { return false }
        readLater()
        return true
    }

    /// The log was too busy to read it: that says nothing against the stream, however often it happens.
    func readLater() { timer.set(stream: surroundings.now + Self.retryPause) }

    /// All that there was when the reading began is in the state. By how much the room's clock had to be put forward.
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

    /// The room cannot go on.
    func fail(_ reason: String) { reader?.streamFailed(reason) }

    /// The log holds something else than what is folded, or less.
    func goneBack() { reader?.streamHasGoneBack() }

    // MARK: Folding

    /// Takes the first of `records` into the state, and says how many: all of an append where they are what was
    /// `decided`, since then their fold is known already; else one, which is read and folded.
    func fold(_ records: ArraySlice<Record>, decided: Decision?) throws(RoomState.FoldError) -> Int {
        keptViews = nil
        if anew == nil, let decided {
            let sealed = records.firstIndex(where: Self.hasSeed)
            var before = sealed == nil ? nil : state
            if let count = decided.take(over: &state, if: records) {
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

    /// Whether a part of it is sealed, here or where it is in the log.
    private static func hasSeed(_ record: Record) -> Bool {
        record.event.type == GameEnded.type || record.event.type == RoomOpened.type
    }

    /// These are in the log, and in the state.
    func note(_ records: [Record]) { answered.note(records) }
}

/// Who reads a stream: told what it says, and when it is of no use any more.
protocol StreamReader: LogClient {
    func streamFailed(_ reason: String)
    func streamHasGoneBack()
}

// What an edge sees of a room: no more than anybody can fold out of the events that were shown.
extension RoomStream {
    var code: String { state.code }
    var version: Int { state.version }
    /// The hash of the last record.
    var head: Digest { state.head }
    var host: PlayerID { state.host }
    /// Everybody whose name members may need, each once, in order.
    var players: [PlayerID] { state.players }
    /// Who has a seat, in the order of seats; computers, too.
    var seated: [PlayerID] { state.seats.sorted { $0.key < $1.key }.map(\.value) }
    func seat(of player: PlayerID) -> Seat? { state.seat(of: player) }
    func isMuted(_ player: PlayerID) -> Bool { state.muted.contains(player) }
    func isBanned(_ player: PlayerID) -> Bool { state.banned.contains(player) }
    /// The parts of `welcome` that are the same for everybody, in JSON, as they stand behind others: the room's view
    /// and the game's.
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
