import EventStore
import Games

/// Keeps the read models up with the log: follows all streams, and asks each room that has changed for its row. Lives
/// on the first shard.
final class ReadModelUpdater {
    static let timer: UInt64 = .max
    /// How often rooms are asked.
    static let pause: Milliseconds = 1_000
    /// A room is asked so long after a move: lists show no more of one than whose turn it is, and rooms that play would
    /// be written all the time.
    static let movePause: Milliseconds = 5_000

    private let surroundings: RoomSurroundings
    private let calls: ShardCalls
    private let lobby: Lobby
    private let shards: any ShardDirectory
    private var isRunning = false
    /// Whether it is known from where the rows go on.
    private var hasBegun = false
    /// Names the question that is under way about that.
    private var beginning: Int?
    /// Rounds are of the newest one.
    private var lastBeginning = 0
    private var couldNotBegin = false
    private var rounds = RoomRounds(from: 0)
    /// Until when no room is asked: its home may not have noticed yet that the log has lost what it knows of it.
    private var roundsBegin: Milliseconds = 0
    private var followTicket: Ticket = 0
    /// The log could not be read just now: it is tried again a moment later.
    private var mustFollowAgain = false
    /// Whether what is read may be old news.
    private var isBehind = false
    /// Whether names were among it: rooms may have been told others, by rows that had not seen it.
    private var hasNames = false
    /// Whether all has been noted that there was when the hub started: rooms that sleep may be due.
    private var hasCaughtUp = false

    init(_ surroundings: RoomSurroundings, calls: ShardCalls, lobby: Lobby, shards: any ShardDirectory) {
        (self.surroundings, self.calls, self.lobby, self.shards) = (surroundings, calls, lobby, shards)
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
            case .success(let position):
                (hasBegun, couldNotBegin) = (true, false)
                rounds = RoomRounds(from: position)
                // No other node writes any more.
                lobby.rowsBegun()
                follow()
            case .failure(let error):
                if !couldNotBegin {
                    surroundings.loggers.log.error(
                        "the read models cannot be read: lists are old, and rooms wake only when someone comes",
                        metadata: ["reason": "\(error.sentence)"])
                }
                couldNotBegin = true
            }
        }
    }

    /// Another node keeps them from now on.
    func stop() {
        guard isRunning else { return }
        isRunning = false
        pause()
        surroundings.timers.cancel(Self.timer)
    }

    /// The log was away: of one that has lost something, positions come again, and rows of what is lost would stand
    /// ahead of those that follow. By then no other node judges that has not found the log again itself.
    func logIsBack() {
        if surroundings.cluster != nil { roundsBegin = surroundings.now + NodeKeeper.judging }
        guard isRunning else { return }
        pause()
        begin()
    }

    private func pause() {
        surroundings.log.unfollow(followTicket, into: surroundings.inbox)
        surroundings.end(followTicket)
        (followTicket, mustFollowAgain, hasBegun, beginning) = (0, false, false, nil)
    }

    private func follow() {
        (mustFollowAgain, isBehind) = (false, true)
        followTicket = surroundings.ticket(for: self)
        surroundings.log.followAll(after: rounds.position, ticket: followTicket, into: surroundings.inbox)
    }

    /// Once a second: a round over the rooms that have changed.
    func tick() {
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.pause)
        // Two nodes have written for a moment, each taking itself for the one that does: this one goes on from there.
        if hasBegun, surroundings.readModels.isOvertaken { pause() }
        if !hasBegun { begin() }
        if mustFollowAgain { follow() }
        beginRound()
    }

    private func beginRound() {
        guard hasBegun, surroundings.now >= roundsBegin, let rooms = rounds.begin(at: surroundings.now) else { return }
        let number = lastBeginning
        for room in rooms {
            calls.ask(.row, about: room) { [self] reply in
                // What was asked before it was begun anew belongs to no round any more.
                guard isRunning, lastBeginning == number else { return }
                rounds.received(reply, from: room)
                endRound()
            }
        }
        if rooms.isEmpty { endRound() }
    }

    private func endRound() {
        guard let outcome = rounds.end() else { return }
        surroundings.readModels.write(outcome.rows.map(\.change), reached: outcome.reached)
        // Behind that: whoever asks for the list from now on finds these rows in it.
        for row in outcome.rows { lobby.roomChanged(row) }
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
        case .caughtUp:
            (hasCaughtUp, isBehind) = (true, false)
            if hasNames {
                for shard in 0..<shards.count { shards.post(.namesCaughtUp, to: shard) }
                tellNodes([nil])
            }
            hasNames = false
            beginRound()
        case .followFailed(_, let error):
            surroundings.end(ticket)
            mustFollowAgain = true
            surroundings.loggers.log.error("the log cannot be followed", metadata: ["reason": "\(error.sentence)"])
        default: break
        }
    }

    /// Rooms of all nodes may have asked for the names of these accounts before they stood in the rows, which is later
    /// than they were given by another node: those that woke then have heard of no change. Nil: of any.
    private func tellNodes(_ accounts: [PlayerID?]) {
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
        if !changes.isEmpty { surroundings.readModels.write(changes) }
    }
}
