import Games

/// Which rooms' rows lag behind the log, and how far all rows have come. Rooms are asked a few at a time. Once every
/// room that lags has answered, the rows have come as far as the log had then. It is a value and asks nothing itself.
struct RoomRounds {
    /// Rooms in a round. At the start each may have to be read from the log.
    static let limit = 256

    /// The result of a round.
    struct Outcome {
        let rows: [RoomRow]
        /// The position up to which everything is included with these rows; nil if it has not changed.
        let reached: Int?
        /// Whether another round can begin at once.
        let hasMore: Bool
    }

    private struct Round {
        var unanswered: Int
        var rows: [RoomRow] = []
        let reached: Int?
        /// Whether others could be asked now.
        let isPart: Bool
        /// A room could not be read. It is asked again, in a round that starts a moment later.
        var isIncomplete = false
    }

    /// A room that has changed since its row was written.
    private struct Behind {
        /// The position of the first change.
        let since: Int
        var due: Milliseconds
    }

    private var behind: [String: Behind] = [:]
    /// Rooms that are due, in the order of their changes.
    private var prompt: [String] = []
    /// Rooms that had to wait when they changed, in that order, with `since`. Some may have been asked since then.
    private var waiting: [(room: String, since: Int)] = []
    /// Everything up to here is recorded.
    private(set) var position: Int
    /// Everything up to here is in the rows.
    private(set) var written: Int
    private var round: Round?

    init(from position: Int) { (self.position, written) = (position, position) }

    /// The log has come to `position`, where `room` changed if it is not nil. The room is not asked before `due`.
    mutating func recordChange(of room: String?, at position: Int, due: Milliseconds = 0) {
        self.position = max(self.position, position)
        guard let room else { return }
        if let known = behind[room] {
            guard due == 0, known.due > 0 else { return }
            behind[room]?.due = 0
            prompt.append(room)
        } else {
            behind[room] = Behind(since: position, due: due)
            if due == 0 { prompt.append(room) } else { waiting.append((room, position)) }
        }
    }

    /// The rooms to ask now; nil if a round is running or there is nothing to write.
    mutating func startRound(at now: Milliseconds) -> [String]? {
        guard round == nil else { return nil }
        var rooms = Array(prompt.prefix(Self.limit))
        prompt.removeFirst(rooms.count)
        for room in rooms { behind[room] = nil }
        var passed = 0
        for (room, since) in waiting {
            // If a later change is known, the row that was asked for since then included this one.
            if let known = behind[room], known.since == since, known.due > 0 {
                guard known.due <= now, rooms.count < Self.limit else { break }
                rooms.append(room)
                behind[room] = nil
            }
            passed += 1
        }
        waiting.removeFirst(passed)
        // Changes while the rooms answer belong to a later round.
        let reached = prompt.isEmpty ? waiting.first.map { $0.since - 1 } ?? position : nil
        guard !rooms.isEmpty || reached ?? 0 > written else { return nil }
        let isPart = !prompt.isEmpty || waiting.first.flatMap { behind[$0.room] }.map { $0.due <= now } ?? false
        round = Round(unanswered: rooms.count, reached: reached, isPart: isPart)
        return rooms
    }

    /// Takes a room's answer.
    mutating func replyArrived(_ reply: RoomReply, from room: String) {
        round?.unanswered -= 1
        switch reply {
        case .row(let row): round?.rows.append(row)
        case .busy, .unread:
            recordChange(of: room, at: position)
            round?.isIncomplete = true
        // A log that does not fit together is not improved by reading it again.
        case .exists, .description, .absent, .broken: break
        }
    }

    /// The result of the round, once all rooms have answered; nil before.
    mutating func takeOutcome() -> Outcome? {
        guard let done = round, done.unanswered == 0 else { return nil }
        round = nil
        let reached = done.isIncomplete ? nil : done.reached
        if let reached { written = reached }
        return Outcome(rows: done.rows, reached: reached, hasMore: done.isPart && !done.isIncomplete)
    }
}
