import Cluster
import EventStore
import Games
import Records
import RoomRules
import Rooms

/// Keeps the read models up to date with the log: follows all streams, and asks for the row of each room that has
/// changed, without waking it. Lives on the first shard.
final class ReadModelUpdater {
    static let pause: Milliseconds = 1_000
    /// The pause before a room is asked after a move. Lists show only whose turn it is, and rooms in play would
    /// otherwise be written all the time.
    static let movePause: Milliseconds = 5_000
    /// Rows that are lost within `lossSpan` of the last loss wait for `lossPause`, since a disk that damages them again
    /// and again must leave the hub time for other work.
    static let lossSpan: Milliseconds = 60_000
    static let lossPause: Milliseconds = 5_000
    /// If rows cannot be begun for this long, rooms that are due are found without them.
    static let walkPause: Milliseconds = 10_000

    private let surroundings: RoomSurroundings
    private let readModels: ReadModels
    private let cluster: ServingNodes?
    private let calls: ShardCalls
    private let lobby: Lobby
    private let dueRooms: DueRooms
    private let shards: any ShardDirectory
    private var isRunning = false
    /// Whether the position from which rows continue is known.
    private var hasBegun = false
    /// The running question about that position.
    private var beginning: Int?
    private var lastBeginning = 0
    /// How many times it stopped writing or walking. Rounds before the last stop are over.
    private var lastPause = 0
    private var failure: EventLogError?
    private var failingSince: Milliseconds?
    /// Lost rows are not begun before this time.
    private var beginsAt: Milliseconds = 0
    private var lastLoss: Milliseconds?
    /// Whether rows lack old records of the log, so that all of it is read again.
    private var isBuilding = false {
        didSet {
            surroundings.counters.rowsAreIncomplete.set(isBuilding ? 1 : 0)
            lobby.areRowsWhole = !isBuilding
        }
    }
    /// Whether a log line reports the loss.
    private var isLossTold = false
    /// The position that rows must reach for that; nil until the log has been read.
    private var buildingEnd: Int?
    /// Whether rooms are asked for their deadlines although there are no rows.
    private var isWalking = false
    private var rounds = RoomRounds(from: 0)
    private var followTicket: Ticket = 0
    /// The log could not be read. It is tried again a moment later.
    private var mustFollowAgain = false
    /// Whether the records being read may be old.
    private var isBehind = false
    /// Whether these included names. Rooms may have got others from rows that lacked these names.
    private var hasNames = false
    /// Whether everything from before the hub's start is recorded. Sleeping rooms may be due.
    private var hasCaughtUp = false

    init(
        _ surroundings: RoomSurroundings, _ readModels: ReadModels, _ cluster: ServingNodes?, calls: ShardCalls,
        lobby: Lobby, dueRooms: DueRooms, shards: any ShardDirectory
    ) {
        (self.surroundings, self.readModels, self.cluster) = (surroundings, readModels, cluster)
        (self.calls, self.lobby, self.dueRooms) = (calls, lobby, dueRooms)
        self.shards = shards
    }

    /// Continues from where the rows are, unless it is running.
    func start() {
        guard !isRunning else { return }
        isRunning = true
        startWriting()
        surroundings.timers.arm(.readModels, at: surroundings.now + Self.pause)
    }

    private func startWriting() {
        guard beginning == nil else { return }
        lastBeginning += 1
        let number = lastBeginning
        beginning = number
        readModels.startWriting { [self] result in
            guard beginning == number else { return }
            beginning = nil
            switch result {
            case .success(let position): writingStarted(at: position)
            case .failure(let error): couldNotStart(error)
            }
        }
    }

    private func writingStarted(at position: Int) {
        if isWalking { pause() }
        (hasBegun, failure, failingSince) = (true, nil, nil)
        if position == 0 { isBuilding = true }
        rounds = RoomRounds(from: position)
        // The other nodes have stopped writing.
        if !isBuilding { lobby.rowsBegun() }
        follow()
    }

    /// It is tried again a second later.
    private func couldNotStart(_ error: EventLogError) {
        if failure != error {
            surroundings.loggers.write(.rowsNotOpened, ["reason": "\(error.sentence)"])
        }
        failure = error
        (isBuilding, isLossTold) = (true, true)
        let since = failingSince ?? surroundings.now
        failingSince = since
        guard !isWalking, !surroundings.isLogDown, surroundings.now - since >= Self.walkPause else { return }
        isWalking = true
        rounds = RoomRounds(from: 0)
        follow()
    }

    /// Rows written since then do not arrive. They come again from where the rows are, or from the beginning.
    private func rowsHalted(_ halt: RowHalt) {
        pause()
        // Two nodes wrote for a moment, each believing that it was the one to write. This one continues from there.
        guard case .givenUp(let error) = halt else { return }
        surroundings.loggers.write(.rowsGivenUp, ["reason": "\(error.sentence)"])
        surroundings.counters.rowLosses.add()
        (isBuilding, isLossTold) = (true, true)
        if let lastLoss, surroundings.now - lastLoss < Self.lossSpan { beginsAt = surroundings.now + Self.lossPause }
        lastLoss = surroundings.now
    }

    /// The rows have everything that the log held when it was read again.
    private func endBuilding() {
        guard isBuilding, hasBegun, let end = buildingEnd, rounds.written >= end else { return }
        isBuilding = false
        if isLossTold {
            surroundings.loggers.write(.rowsComplete, ["position": "\(end)"])
        }
        isLossTold = false
        lobby.rowsBegun()
        dueRooms.rowsAreWhole()
    }

    /// Another node keeps the rows from now on.
    func stop() {
        guard isRunning else { return }
        isRunning = false
        pause()
        isBuilding = false
        surroundings.timers.cancel(.readModels)
    }

    /// The log was away. If it has lost records, their positions are used again, and the lost records' rows would be
    /// newer than those that follow.
    func logIsBack() {
        guard isRunning else { return }
        pause()
        startWriting()
    }

    private func pause() {
        surroundings.log.unfollow(followTicket)
        (followTicket, mustFollowAgain, hasBegun, beginning) = (0, false, false, nil)
        (isWalking, buildingEnd) = (false, nil)
        lastPause += 1
    }

    private func follow() {
        (mustFollowAgain, isBehind) = (false, true)
        followTicket = surroundings.log.ticket(for: self)
        surroundings.log.followAll(after: rounds.position, ticket: followTicket)
    }

    /// Once a second, starts a round over the rooms that have changed.
    func updateRows() {
        surroundings.timers.arm(.readModels, at: surroundings.now + Self.pause)
        if let error = readModels.writeFailure {
            surroundings.logFailure(error, .rowsNotWritten)
        }
        if hasBegun, let halt = readModels.halt { rowsHalted(halt) }
        if !hasBegun, surroundings.now >= beginsAt { startWriting() }
        if mustFollowAgain { follow() }
        beginRound()
    }

    private func beginRound() {
        guard hasBegun || isWalking, let rooms = rounds.startRound(at: surroundings.now) else { return }
        let number = lastPause
        for room in rooms {
            calls.ask(.row, about: room) { [self] reply in
                // Questions from before a restart belong to no round.
                guard isRunning, lastPause == number else { return }
                rounds.replyArrived(reply, from: room)
                endRound()
            }
        }
        if rooms.isEmpty { endRound() }
    }

    private func endRound() {
        guard let outcome = rounds.takeOutcome() else { return }
        if isWalking {
            dueRooms.recordDeadlines(of: outcome.rows)
        } else {
            readModels.write(outcome.rows.map(\.change), reached: outcome.reached)
        }
        dueRooms.rowsChanged(outcome.rows)
        // After the write, so that any list that is read from now on has these rows.
        for row in outcome.rows { lobby.roomChanged(row) }
        endBuilding()
        if outcome.hasMore { beginRound() }
    }
}

extension ReadModelUpdater: LogClient {
    func logSent(_ message: LogMessage, ticket: Ticket) {
        guard ticket == followTicket else { return }
        switch message {
        case .records(_, let records):
            for record in records { recordRoomChange(record) }
            write(ReadModels.changes(by: records))
            let named = records.compactMap { NameGiven.read($0)?.account }
            if isBehind, !named.isEmpty { hasNames = true } else { tellNodes(named) }
        case .erased(_, let erasure):
            rounds.recordChange(of: nil, at: erasure.position)
            write(ReadModels.all.flatMap { $0.changes(by: erasure) })
            if isBehind { hasNames = true } else { tellNodes([nil]) }
        case .caughtUp(_, let position, _):
            (hasCaughtUp, isBehind, buildingEnd) = (true, false, position)
            if hasNames {
                shards.postToAll(.accountChanged(nil))
                tellNodes([nil])
            }
            hasNames = false
            beginRound()
            endBuilding()
        case .followFailed:
            surroundings.log.closeTicket(ticket)
            mustFollowAgain = true
        default: break
        }
    }

    /// Rooms of any node may have read the names of these accounts before the rows had them, which is after another
    /// node gave them. Rooms that woke in between have heard of no change. Nil stands for any account.
    private func tellNodes(_ accounts: [PlayerID?]) {
        // After the write, so that the lobby sees it.
        for account in accounts { lobby.names.nameChanged(of: account) }
        guard let cluster, !accounts.isEmpty else { return }
        readModels.position { [shards] _ in
            for account in accounts {
                cluster.sendToAll(.accountChanged(account))
                shards.postToAll(.accountChanged(account))
            }
        }
    }

    private func recordRoomChange(_ record: Record) {
        let isMove = hasCaughtUp && !RoomEvent.isOwn(record.event.type)
        rounds.recordChange(
            of: record.stream.roomCode, at: record.position, due: isMove ? surroundings.now + Self.movePause : 0)
    }

    /// Written at once, in the log's order. A delayed row would be written after the erasure of what it names.
    private func write(_ changes: [RowChange]) {
        if !changes.isEmpty, !isWalking { readModels.write(changes) }
    }
}
