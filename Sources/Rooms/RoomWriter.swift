import EventStore
import Records
import RoomRules

/// What a room writes to the log: one append at a time.
struct RoomWriter {
    struct Append {
        /// Nil if the room itself acts, because of the clock or an absence. If that is not written, it asks both again.
        let request: RoomRequest?
        fileprivate let decision: Decision
        fileprivate let ticket: Ticket
    }

    private enum State {
        case idle
        case underWay(Append)
        /// Another commit came first. The stream is read up to this version before the append is judged again.
        case overtaken(Append, by: Int)
    }

    private var state = State.idle

    var isIdle: Bool { if case .idle = state { true } else { false } }
    var isUnderWay: Bool { if case .underWay = state { true } else { false } }
    /// What is on its way to the log; nil if nothing is.
    var decision: Decision? { if case .underWay(let append) = state { append.decision } else { nil } }

    /// Begins an append, whose answer has this ticket. Returns what to append.
    mutating func start(
        _ decision: Decision, for request: RoomRequest?, to stream: RoomStream, by run: String, _ ticket: Ticket
    ) -> Commit {
        state = .underWay(Append(request: request, decision: decision, ticket: ticket))
        let id: CommitID =
            if let move = request?.asker.move {
                .computer(at: move.seat, version: move.version, run: run)
            } else {
                request?.commit ?? .room(after: stream.state.version, run: run)
            }
        return Commit(id: id, appending: decision.written, to: stream.name, expecting: stream.state.end)
    }

    /// Ends the append that has this ticket; nil if there is none.
    mutating func settle(_ ticket: Ticket) -> Append? {
        guard case .underWay(let append) = state, append.ticket == ticket else { return nil }
        state = .idle
        return append
    }

    /// The append is judged again when the stream is read up to `version`.
    mutating func hold(_ append: Append, until version: Int) { state = .overtaken(append, by: version) }

    /// The stream is read up to `version`. Returns what is judged again now; nil if nothing is.
    mutating func release(at version: Int) -> Append? {
        guard case .overtaken(let append, let last) = state, version >= last else { return nil }
        state = .idle
        return append
    }
}
