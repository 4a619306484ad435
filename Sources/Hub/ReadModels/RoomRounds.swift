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
        /// A room could not be read just now: it is asked again, in a round that begins a moment later.
        var isIncomplete = false
    }

    /// In the order in which they changed.
    private var changed: [String] = []
    private var isChanged: Set<String> = []
    /// Everything up to here is noted.
    private(set) var position: Int
    /// Everything up to here is in the rows.
    private var written: Int
    private var round: Round?

    init(from position: Int) { (self.position, written) = (position, position) }

    /// The log has come to `position`, where `room` changed, if any did.
    mutating func note(_ room: String?, at position: Int) {
        self.position = max(self.position, position)
        if let room, isChanged.insert(room).inserted { changed.append(room) }
    }

    /// The rooms to be asked now; nil if a round is under way or nothing is behind.
    mutating func begin() -> [String]? {
        guard round == nil, !changed.isEmpty || position > written else { return nil }
        let rooms = Array(changed.prefix(Self.limit))
        changed.removeFirst(rooms.count)
        isChanged.subtract(rooms)
        // What comes while the rooms answer belongs to a later round.
        round = Round(unanswered: rooms.count, reached: changed.isEmpty ? position : nil)
        return rooms
    }

    /// What one of them has answered.
    mutating func received(_ reply: RoomReply, from room: String) {
        round?.unanswered -= 1
        switch reply {
        case .row(let row): round?.rows.append(row)
        case .tooMany, .unread:
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
        return Outcome(
            rows: done.rows, reached: reached, mayGoOn: reached == nil && !done.isIncomplete && !changed.isEmpty)
    }
}
