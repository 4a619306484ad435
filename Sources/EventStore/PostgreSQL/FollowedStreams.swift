import Cryptography
import Records

/// How far whoever follows has been told. What others write is heard of in several ways and more than once: here it is
/// found out what of it is new.
struct FollowedStreams: Sendable {
    /// A stream as its followers know it.
    struct State: Sendable, Equatable {
        /// The stream's number; nil as long as it has no records. One that was erased comes again under another.
        var id: Int?
        var end: StreamEnd
    }

    /// What is told of a stream, or of all.
    private(set) var followers = Followers()
    /// Of each stream that somebody follows.
    private(set) var states: [StreamName: State] = [:]
    /// Up to where who follows all has been told.
    private(set) var reached = 0
    private var names: [Int: StreamName] = [:]

    var isAllFollowed: Bool { followers.has(.all) }

    mutating func add(_ catchUp: CatchUp, to stream: StreamName, at state: State) {
        followers.add(catchUp.ticket, catchUp.inbox, to: .stream(stream))
        set(state, of: stream)
    }

    /// `position`: up to where it, and everybody else who follows all, has been told.
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

    /// Tells whoever follows `source` that no more will come, and forgets them.
    mutating func fail(_ source: Followers.Source, _ error: EventLogError, in outbox: inout Outbox) {
        followers.tell(source, in: &outbox) { .followFailed($0, error) }
        followers.removeAll(of: source)
        if case .stream(let stream) = source { forget(stream) }
    }

    /// Whether these records of the stream with this number follow what its followers have: they are told what of it is
    /// new. False: the stream must be read. `end`: what they are known to follow; nil: that is for their hashes to say.
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

    /// Tells who follows all what of a change is due to them: all of it or nothing. Positions that do not follow those
    /// that they have are for `tell(slice)`. False if they are such.
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

    /// Tells everyone what of the log of all streams is new to them. Streams that must be read are returned.
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

    /// A stream as it was read, behind what its followers have.
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
