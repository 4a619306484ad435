import EventStore
import Games

/// Which rooms' rows are behind the log, and how far all rows have come: some rooms are asked at a time, and once each
/// that is behind has answered, the rows have come as far as the log was then. A value: it asks nobody itself.
struct RoomRounds {
    /// Rooms that are asked at a time: at the start each of them may have to be read from the log.
    static let limit = 256

    /// What a round has brought.
    struct Outcome {
        let rows: [RoomRow]
        /// With these rows everything up to here is in; nil: nothing more than before.
        let reached: Int?
        /// Whether another round can begin at once.
        let mayGoOn: Bool
    }

    private struct Round {
        var unanswered: Int
        var rows: [RoomRow] = []
        let reached: Int?
        /// Whether others wait that could be asked now.
        let isPart: Bool
        /// A room could not be read just now: it is asked again, in a round that begins a moment later.
        var isIncomplete = false
    }

    /// A room that has changed since its row was written.
    private struct Behind {
        /// The position of the first change.
        let since: Int
        var due: Milliseconds
    }

    private var behind: [String: Behind] = [:]
    /// Those that are due, in the order in which they changed.
    private var prompt: [String] = []
    /// Those that were to wait when they changed, in that order, with `since`; some may have been asked meanwhile.
    private var waiting: [(room: String, since: Int)] = []
    /// Everything up to here is noted.
    private(set) var position: Int
    /// Everything up to here is in the rows.
    private(set) var written: Int
    private var round: Round?

    init(from position: Int) { (self.position, written) = (position, position) }

    /// The log has come to `position`, where `room` changed, if any did; it is to be asked at `due` or later.
    mutating func note(_ room: String?, at position: Int, due: Milliseconds = 0) {
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

    /// The rooms to be asked now; nil if a round is under way or there is nothing to be written.
    mutating func begin(at now: Milliseconds) -> [String]? {
        guard round == nil else { return nil }
        var rooms = Array(prompt.prefix(Self.limit))
        prompt.removeFirst(rooms.count)
        for room in rooms { behind[room] = nil }
        var passed = 0
        for (room, since) in waiting {
            // Where it is another change by now, this one was in the row that was asked for meanwhile.
            if let known = behind[room], known.since == since, known.due > 0 {
                guard known.due <= now, rooms.count < Self.limit else { break }
                rooms.append(room)
                behind[room] = nil
            }
            passed += 1
        }
        waiting.removeFirst(passed)
        // What comes while the rooms answer belongs to a later round.
        let reached = prompt.isEmpty ? waiting.first.map { $0.since - 1 } ?? position : nil
        guard !rooms.isEmpty || reached ?? 0 > written else { return nil }
        let isPart = !prompt.isEmpty || waiting.first.flatMap { behind[$0.room] }.map { $0.due <= now } ?? false
        round = Round(unanswered: rooms.count, reached: reached, isPart: isPart)
        return rooms
    }

    /// What one of them has answered.
    mutating func received(_ reply: RoomReply, from room: String) {
        round?.unanswered -= 1
        switch reply {
        case .row(let row): round?.rows.append(row)
        case .busy, .unread:
            note(room, at: position)
            round?.isIncomplete = true
        // A log that does not fit together will not by being read again.
        case .exists, .description, .absent, .broken: break
        }
    }

    /// What the round has brought, once all have answered; nil before.
    mutating func end() -> Outcome? {
        guard let done = round, done.unanswered == 0 else { return nil }
        round = nil
        let reached = done.isIncomplete ? nil : done.reached
        if let reached { written = reached }
        return Outcome(rows: done.rows, reached: reached, mayGoOn: done.isPart && !done.isIncomplete)
    }
}
