import EventStore
import Games

/// Keeps the projections up with the log: follows all streams, and asks each room that has changed for its row. Lives
/// on the first shard, where it also wakes rooms before their deadline and records outages.
final class Projector {
    static let timer: UInt64 = .max
    /// How often rows are written.
    static let pause: Milliseconds = 1_000
    /// Rooms that are asked for their rows at a time: at the start each of them may have to be read from the log.
    static let roundLimit = 256
    /// Most due rooms that are woken in one sweep.
    static let dueLimit = 10_000

    private let shard: Shard
    private let surroundings: RoomSurroundings
    private var followTicket: Ticket = 0
    /// The log could not be read just now: it is tried again a moment later.
    private var mustFollowAgain = false
    /// Rooms with records that their rows do not show yet.
    private var touched: Set<String> = []
    /// Rows of rooms and results that the end of a round writes; those of players are written at once.
    private var changes: [RowChange] = []
    /// Everything up to here is in `touched` and `changes`, or written.
    private var position = 0
    private var written = 0
    /// Rooms of this round that have not answered yet; nil between rounds.
    private var unanswered: Int?
    /// A room of this round could not wake just now: the round has not brought the rows as far as the log.
    private var isIncomplete = false
    /// Rooms due before this have been woken.
    private var horizon: Milliseconds = .min
    private var downSince: Milliseconds?
    /// Records of the stream `hub` that are known.
    private var hubVersion = 0

    init(shard: Shard) {
        self.shard = shard
        surroundings = shard.surroundings
    }

    func start() {
        let reached = OneAnswer(surroundings) { [self] message in
            guard case .reached(_, .success(let position)) = message else {
                return surroundings.logger.error("the projections cannot be read: rooms wake only when somebody comes")
            }
            self.position = position
            written = position
            follow()
        }
        surroundings.projections.position(ticket: reached.ticket, answer: surroundings.inbox)
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.pause)
    }

    private func follow() {
        mustFollowAgain = false
        followTicket = surroundings.ticket(for: self)
        surroundings.log.followAll(after: position, ticket: followTicket, into: surroundings.inbox)
    }

    /// Once a second: a round over the rooms that have changed.
    func tick() {
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.pause)
        if mustFollowAgain { follow() }
        beginRound()
    }

    private func beginRound() {
        guard unanswered == nil, !touched.isEmpty || position > written else { return }
        let codes = touched.prefix(Self.roundLimit)
        touched.subtract(codes)
        // What comes while the rooms answer belongs to a later round.
        let reached = touched.isEmpty ? position : nil
        unanswered = codes.count
        guard !codes.isEmpty else { return endRound(reached: reached) }
        for code in codes {
            shard.ask(.row, about: code) { [self] reply in
                switch reply {
                case .row(let row):
                    changes.append(.room(row))
                case .tooMany, .unread:
                    touched.insert(code)
                    isIncomplete = true
                // A log that does not fit together will not by being read again.
                case .exists, .description, .absent, .broken: break
                }
                unanswered = (unanswered ?? 1) - 1
                if unanswered == 0 { endRound(reached: reached) }
            }
        }
    }

    private func endRound(reached: Int?) {
        let wasIncomplete = isIncomplete
        let reached = isIncomplete ? nil : reached
        (unanswered, isIncomplete) = (nil, false)
        surroundings.projections.apply(changes, reached: reached)
        // Behind that: whoever asks for the list from now on finds these rows in it.
        for case .room(let row) in changes { shard.lobby?.roomChanged(row) }
        changes = []
        if let reached { written = reached }
        if reached == nil, !wasIncomplete, !touched.isEmpty { beginRound() }
    }

    /// Sleeping rooms whose deadline is near.
    func wakeDueRooms() {
        let until = surroundings.now + surroundings.limits.wakeAhead
        let due = OneAnswer(surroundings) { [self] message in
            guard case .rooms(_, .success(let rows)) = message else { return }
            if rows.count < Self.dueLimit { horizon = until } else { horizon = rows.last?.deadline ?? until }
            let codes = Dictionary(grouping: rows.map(\.code)) { shardIndex(ofRoom: $0, count: shard.shards.count) }
            for (index, codes) in codes { shard.shards.post(.wake(codes: codes), to: index) }
        }
        surroundings.projections.rooms(
            dueFrom: horizon, before: until, limit: Self.dueLimit, ticket: due.ticket, answer: surroundings.inbox)
    }

    // MARK: Outages

    func logWentDown(at time: Milliseconds) { downSince = downSince ?? time }

    /// The log takes writes again: the time in which it did not counts against nobody.
    func recordOutage(until: Milliseconds) {
        guard let from = downSince else { return }
        let outage = Outage(from: from, until: max(from, until))
        let answer = OneAnswer(surroundings) { [self] message in
            guard case .settled(_, let outcome) = message else { return }
            switch outcome {
            case .appended:
                downSince = nil
                // Rooms that were woken meanwhile may have had a log that could not be read: once more.
                horizon = .min
            case .conflict(let actual):
                hubVersion = actual
                recordOutage(until: surroundings.now)
            case .outcomeUnknown: recordOutage(until: surroundings.now)
            case .unavailable: break
            }
        }
        surroundings.log.append(
            outage.commit, to: .hub, expecting: hubVersion, ticket: answer.ticket, answer: surroundings.inbox)
    }
}

extension Projector: LogClient {
    func receive(_ message: LogMessage, ticket: Ticket) {
        guard ticket == followTicket else { return }
        switch message {
        case .records(_, let records):
            for record in records { note(record) }
        case .erased(_, let erasure):
            position = max(position, erasure.position)
            surroundings.projections.apply([.playerErased(head: erasure.head)], reached: nil)
        case .caughtUp: beginRound()
        case .followFailed(_, let error):
            surroundings.end(ticket)
            mustFollowAgain = true
            surroundings.logger.error("the log cannot be followed", metadata: ["reason": "\(error.sentence)"])
        default: break
        }
    }

    private func note(_ record: Record) {
        position = max(position, record.position)
        if let code = record.stream.roomCode {
            touched.insert(code)
            changes += ResultRow.rows(of: record, in: code).map { .result($0) }
        } else if record.stream == .hub {
            hubVersion = record.version
        } else if let row = PlayerRow(record) {
            // At once, in the order of the log: a row that waited would be written behind its player's erasure.
            surroundings.projections.apply([.player(row)], reached: nil)
        }
    }
}

// Outages in the stream `hub`.
extension Outage {
    static let type = "outage"

    /// Its id names it, so that the same outage is never written twice.
    var commit: Commit {
        let fields: Fields = ["type": .string(Self.type), "from": .integer(from), "to": .integer(until)]
        return Commit(
            id: "outage/\(from)",
            events: [Event(time: until, type: Self.type, shown: JSONWriter.bytes(fields))])
    }

    /// Nil for records that are no outages.
    init?(_ record: Record) {
        guard record.event.type == Self.type, let fields = (try? JSONReader.read(record.event.shown))?.object,
            let from = fields["from"]?.integer, let until = fields["to"]?.integer
        else { return nil }
        self.init(from: from, until: until)
    }
}
