import EventStore
import Synchronization

/// Rows in memory that are damaged, and created again, when a test says so.
final class ScriptedRows: RowStore {
    private struct State {
        var store = InMemoryRowStore()
        /// The answer to each question, until the rows are created again.
        var damage: EventLogError?
        /// Why they cannot be created again.
        var refusal: EventLogError?
        var halt: RowHalt?
        var writeFailure: EventLogError?
    }

    private let state = Mutex(State())

    var halt: RowHalt? { state.withLock { $0.halt } }

    /// Why changes wait to be written.
    var writeFailure: EventLogError? {
        get { state.withLock { $0.writeFailure } }
        set { state.withLock { $0.writeFailure = newValue } }
    }

    /// All present rows are lost, as is all that is applied from now on.
    func damage(_ error: EventLogError) {
        state.withLock { ($0.damage, $0.halt, $0.store) = (error, .givenUp(error), InMemoryRowStore()) }
    }

    /// Why `startWriting` fails; nil if it does not.
    func refuse(_ error: EventLogError?) { state.withLock { $0.refusal = error } }

    func apply(_ changes: [RowChange], reached position: Int?) {
        state.withLock { if $0.halt == nil { $0.store.apply(changes, reached: position) } }
    }

    func ask(_ queries: [RowQuery], answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void) {
        let (store, damage) = state.withLock { ($0.store, $0.damage) }
        if let damage { answer(.failure(damage)) } else { store.ask(queries, answer: answer) }
    }

    func startWriting(answer: @escaping RowReply) {
        let refusal = state.withLock { state in
            if state.refusal == nil { (state.damage, state.halt) = (nil, nil) }
            return state.refusal
        }
        if let refusal { answer(.failure(refusal)) } else { ask([], answer: answer) }
    }

    func close() {}
}
