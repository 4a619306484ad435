import EventStore
import Games
import Records
import RoomRules

/// Keeps the read models up with the log: follows all streams, and asks for the row of each room that has changed. That
/// wakes none. Lives on the first shard.
final class ReadModelUpdater {
    static let timer: UInt64 = .max
    /// How often rooms are asked.
    static let pause: Milliseconds = 1_000
    /// A room is asked so long after a move: lists show no more of one than whose turn it is, and rooms that play would
    /// be written all the time.
    static let movePause: Milliseconds = 5_000
    /// Rows that are lost so soon after they were lost before wait for `lossPause`: on a disk that damages them each
    /// time the hub has other things to do, too.
    static let lossSpan: Milliseconds = 60_000
    static let lossPause: Milliseconds = 5_000
    /// Where rows cannot be begun for so long, rooms that are due are found without them.
    static let walkPause: Milliseconds = 10_000

    private let surroundings: RoomSurroundings
    private let calls: ShardCalls
    private let lobby: Lobby
    private let dueRooms: DueRooms
    private let shards: any ShardDirectory
    private var isRunning = false
    /// Whether it is known from where the rows go on.
    private var hasBegun = false
    /// Names the question that is under way about that.
    private var beginning: Int?
    private var lastBeginning = 0
    /// Times that it stopped to write or walk: rounds before the last one are over.
    private var lastPause = 0
    private var failure: EventLogError?
    private var failingSince: Milliseconds?
    /// Rows that were lost are not begun before this.
    private var beginsAt: Milliseconds = 0
    private var lastLoss: Milliseconds?
    /// Whether rows lack what the log has held for long: all of it is read again.
    private var isBuilding = false {
        didSet {
            surroundings.counters.rowsAreIncomplete.set(isBuilding ? 1 : 0)
            lobby.areRowsWhole = !isBuilding
        }
    }
    /// Whether a line says so.
    private var isLossTold = false
    /// Up to where the rows have to come for that; nil until the log has been read.
    private var buildingEnd: Int?
    /// Whether rooms are asked although there are no rows, for their deadlines.
    private var isWalking = false
    private var rounds = RoomRounds(from: 0)
    private var followTicket: Ticket = 0
    /// The log could not be read just now: it is tried again a moment later.
    private var mustFollowAgain = false
    /// Whether what is read may be old news.
    private var isBehind = false
    /// Whether names were among it: rooms may have been told others, by rows that had not seen it.
    private var hasNames = false
    /// Whether all has been noted that there was when the hub started: rooms that sleep may be due.
    private var hasCaughtUp = false

    init(
        _ surroundings: RoomSurroundings, calls: ShardCalls, lobby: Lobby, dueRooms: DueRooms,
        shards: any ShardDirectory
    ) {
        (self.surroundings, self.calls, self.lobby, self.dueRooms) = (surroundings, calls, lobby, dueRooms)
        self.shards = shards
    }

    /// Goes on from where the rows are; nothing where it does so already.
    func start() {
        guard !isRunning else { return }
        isRunning = true
        begin()
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.pause)
    }

    private func begin() {
        guard beginning == nil else { return }
        lastBeginning += 1
        let number = lastBeginning
        beginning = number
        surroundings.readModels.begin { [self] result in
            guard beginning == number else { return }
            beginning = nil
            switch result {
            case .success(let position): begun(at: position)
            case .failure(let error): couldNotBegin(error)
            }
        }
    }

    private func begun(at position: Int) {
        if isWalking { pause() }
        (hasBegun, failure, failingSince) = (true, nil, nil)
        if position == 0 { isBuilding = true }
        rounds = RoomRounds(from: position)
        // The other nodes have stopped writing.
        if !isBuilding { lobby.rowsBegun() }
        follow()
    }

    /// It is tried again a second later.
    private func couldNotBegin(_ error: EventLogError) {
        if failure != error {
            surroundings.loggers.log.error(
                "the read models cannot be opened: lists are incomplete until they can be",
                metadata: ["reason": "\(error.sentence)"])
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

    /// What was written since does not arrive: it comes again from where the rows are, or from the beginning.
    private func rowsHalted(_ halt: RowHalt) {
        pause()
        // Two nodes have written for a moment, each taking itself for the one that does: this one goes on from there.
        guard case .givenUp(let error) = halt else { return }
        surroundings.loggers.log.error(
            "the read models were given up: lists are incomplete until they are built again from the log",
            metadata: ["reason": "\(error.sentence)"])
        surroundings.counters.rowLosses.add()
        (isBuilding, isLossTold) = (true, true)
        if let lastLoss, surroundings.now - lastLoss < Self.lossSpan { beginsAt = surroundings.now + Self.lossPause }
        lastLoss = surroundings.now
    }

    /// All that the log held when it was read again is in the rows.
    private func endBuilding() {
        guard isBuilding, hasBegun, let end = buildingEnd, rounds.written >= end else { return }
        isBuilding = false
        if isLossTold {
            surroundings.loggers.log.notice("the read models are complete again", metadata: ["position": "\(end)"])
        }
        isLossTold = false
        lobby.rowsBegun()
        dueRooms.rowsAreWhole()
    }

    /// Another node keeps them from now on.
    func stop() {
        guard isRunning else { return }
        isRunning = false
        pause()
        isBuilding = false
        surroundings.timers.cancel(Self.timer)
    }

    /// The log was away: of one that has lost something, positions come again, and rows of what is lost would stand
    /// ahead of those that follow.
    func logIsBack() {
        guard isRunning else { return }
        pause()
        begin()
    }

    private func pause() {
        surroundings.log.unfollow(followTicket, into: surroundings.inbox)
        surroundings.end(followTicket)
        (followTicket, mustFollowAgain, hasBegun, beginning) = (0, false, false, nil)
        (isWalking, buildingEnd) = (false, nil)
        lastPause += 1
    }

    private func follow() {
        (mustFollowAgain, isBehind) = (false, true)
        followTicket = surroundings.ticket(for: self)
        surroundings.log.followAll(after: rounds.position, ticket: followTicket, into: surroundings.inbox)
    }

    /// Once a second: a round over the rooms that have changed.
    func tick() {
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.pause)
        surroundings.noteUnwrittenRows()
        if hasBegun, let halt = surroundings.readModels.halt { rowsHalted(halt) }
        if !hasBegun, surroundings.now >= beginsAt { begin() }
        if mustFollowAgain { follow() }
        beginRound()
    }

    private func beginRound() {
        guard hasBegun || isWalking, let rooms = rounds.begin(at: surroundings.now) else { return }
        let number = lastPause
        for room in rooms {
            calls.ask(.row, about: room) { [self] reply in
                // What was asked before it was begun anew belongs to no round any more.
                guard isRunning, lastPause == number else { return }
                rounds.received(reply, from: room)
                endRound()
            }
        }
        if rooms.isEmpty { endRound() }
    }

    private func endRound() {
        guard let outcome = rounds.end() else { return }
        if isWalking {
            dueRooms.tell(of: outcome.rows)
        } else {
            surroundings.readModels.write(outcome.rows.map(\.change), reached: outcome.reached)
        }
        dueRooms.rowsChanged(outcome.rows)
        // Behind that: whoever asks for the list from now on finds these rows in it.
        for row in outcome.rows { lobby.roomChanged(row) }
        endBuilding()
        if outcome.mayGoOn { beginRound() }
    }
}

extension ReadModelUpdater: LogClient {
    func receive(_ message: LogMessage, ticket: Ticket) {
        guard ticket == followTicket else { return }
        switch message {
        case .records(_, let records):
            for record in records { note(record) }
            write(ReadModels.changes(by: records))
            let named = records.compactMap { NameGiven($0)?.account }
            if isBehind, !named.isEmpty { hasNames = true } else { tellNodes(named) }
        case .erased(_, let erasure):
            rounds.note(nil, at: erasure.position)
            write(ReadModels.all.flatMap { $0.changes(by: erasure) })
            if isBehind { hasNames = true } else { tellNodes([nil]) }
        case .caughtUp(_, let position, _):
            (hasCaughtUp, isBehind, buildingEnd) = (true, false, position)
            if hasNames {
                for shard in 0..<shards.count { shards.post(.namesCaughtUp, to: shard) }
                tellNodes([nil])
            }
            hasNames = false
            beginRound()
            endBuilding()
        case .followFailed:
            surroundings.end(ticket)
            mustFollowAgain = true
        default: break
        }
    }

    /// Rooms of all nodes may have asked for the names of these accounts before they stood in the rows, which is later
    /// than they were given by another node: those that woke then have heard of no change. Nil: of any.
    private func tellNodes(_ accounts: [PlayerID?]) {
        // Behind what was written: it sees that.
        for account in accounts { lobby.names.nameChanged(of: account) }
        guard let cluster = surroundings.cluster, !accounts.isEmpty else { return }
        surroundings.readModels.position { [shards] _ in
            for account in accounts {
                cluster.sendToAll(.accountChanged(account))
                for shard in 0..<shards.count {
                    shards.post(account.map { .accountChanged($0) } ?? .namesCaughtUp, to: shard)
                }
            }
        }
    }

    private func note(_ record: Record) {
        let isMove = hasCaughtUp && !RoomEvent.isOwn(record.event.type)
        rounds.note(
            record.stream.roomCode, at: record.position, due: isMove ? surroundings.now + Self.movePause : 0)
    }

    /// At once, in the order of the log: a row that waited would be written behind the erasure of what it names.
    private func write(_ changes: [RowChange]) {
        if !changes.isEmpty, !isWalking { surroundings.readModels.write(changes) }
    }
}
