import Cryptography
import Records

/// How far followers have been served. News of other nodes' writes comes in several ways and more than once; this finds
/// out what is new.
struct FollowedStreams: Sendable {
    /// A stream as its followers know it.
    struct State: Sendable, Equatable {
        /// The stream's number; nil while it has no records. A stream that was erased comes back under another number.
        var id: Int?
        var end: StreamEnd
    }

    /// Followers of streams and of all.
    private(set) var followers = Followers()
    /// For each followed stream.
    private(set) var states: [StreamName: State] = [:]
    /// The position up to which followers of all streams have been served.
    private(set) var reached = 0
    private var names: [Int: StreamName] = [:]

    var isAllFollowed: Bool { followers.has(.all) }

    mutating func add(_ catchUp: CatchUp, to stream: StreamName, at state: State) {
        followers.add(catchUp.ticket, catchUp.inbox, to: .stream(stream))
        set(state, of: stream)
    }

    /// `position`: up to where this and all other followers of all streams have been served.
    mutating func addToAll(_ catchUp: CatchUp, at position: Int) {
        followers.add(catchUp.ticket, catchUp.inbox, to: .all)
        reached = position
    }

    mutating func remove(_ ticket: Ticket, _ inbox: any LogInbox) {
        guard case .stream(let stream) = followers.remove(ticket, inbox), !followers.has(.stream(stream)) else {
            return
        }
        forget(stream)
    }

    /// Ends all that follow `source` with this error.
    mutating func fail(_ source: Followers.Source, _ error: EventLogError, in outbox: inout Outbox) {
        followers.tell(source, in: &outbox) { .followFailed($0, error) }
        followers.removeAll(of: source)
        if case .stream(let stream) = source { forget(stream) }
    }

    /// Sends followers what is new in these records of the stream with this number. False if the records do not follow
    /// what they have, so that the stream must be read. `end` is what the records are known to follow; nil if only
    /// their hashes tell.
    mutating func tell(
        _ records: [Record], of id: Int, behind end: StreamEnd? = nil, in outbox: inout Outbox
    ) -> Bool {
        guard let first = records.first, let last = records.last, let state = states[first.stream] else { return true }
        guard state.id == id || state.id == nil else { return false }
        if state.id == id, last.version <= state.end.version { return true }
        let new = records.filter { $0.version > state.end.version }
        guard let next = new.first, end == state.end || follows(next, state.end) else { return false }
        followers.tell(.stream(first.stream), in: &outbox) { .records($0, new) }
        set(State(id: id, end: last.end), of: first.stream)
        return true
    }

    /// The stream of this number was erased.
    mutating func tell(_ erasure: Erasure, of id: Int, in outbox: inout Outbox) {
        guard let stream = names[id] else { return }
        followers.tell(.stream(stream), in: &outbox) { .erased($0, erasure) }
        set(State(id: nil, end: stream.start), of: stream)
    }

    /// Sends followers of all streams a change: all of it or nothing. False if its positions do not directly follow
    /// what they have: then `tell(slice)` has to deliver it.
    mutating func tellAll(_ change: StreamChange, in outbox: inout Outbox) -> Bool {
        guard isAllFollowed else { return true }
        let positions = change.positions
        guard positions.enumerated().allSatisfy({ $0.element == reached + 1 + $0.offset }) else { return false }
        followers.tell(.all, in: &outbox) { ticket in
            switch change {
            case .records(let records): .records(ticket, records)
            case .erased(let erasure, _): .erased(ticket, erasure)
            }
        }
        reached += positions.count
        return true
    }

    /// Sends everyone what is new to them in the log of all streams. Returns the streams that must be read.
    mutating func tell(_ slice: FeedSlice, in outbox: inout Outbox) -> Set<StreamName> {
        var unclear: Set<StreamName> = []
        // Records of one stream that follow one another.
        var run: [Record] = []
        var runID = 0
        func tellRun(_ followed: inout FollowedStreams, in outbox: inout Outbox) {
            guard let first = run.first else { return }
            if !followed.tell(run, of: runID, in: &outbox) { unclear.insert(first.stream) }
            followed.followers.tell(.all, in: &outbox) { .records($0, run) }
            run = []
        }
        for entry in slice.entries where entry.position > reached {
            switch entry {
            case .record(let record, let id):
                if id != runID { tellRun(&self, in: &outbox) }
                run.append(record)
                runID = id
            case .erasure(let erasure, let id):
                tellRun(&self, in: &outbox)
                tell(erasure, of: id, in: &outbox)
                followers.tell(.all, in: &outbox) { .erased($0, erasure) }
            }
        }
        tellRun(&self, in: &outbox)
        reached = max(reached, slice.reached)
        return unclear
    }

    /// Sets a stream to what was read after its followers' records.
    mutating func set(_ state: State, of stream: StreamName) {
        if let old = states[stream]?.id, old != state.id { names[old] = nil }
        states[stream] = state
        if let id = state.id { names[id] = stream }
    }

    private func follows(_ record: Record, _ end: StreamEnd) -> Bool {
        var next = end
        next.advance(by: record.event)
        return record.end == next
    }

    private mutating func forget(_ stream: StreamName) {
        if let id = states.removeValue(forKey: stream)?.id { names[id] = nil }
    }
}

extension StreamChange {
    /// One for each record; one for an erasure.
    var positions: [Int] {
        switch self {
        case .records(let records): records.map(\.position)
        case .erased(let erasure, _): [erasure.position]
        }
    }
}
