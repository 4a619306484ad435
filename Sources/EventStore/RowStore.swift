import Synchronization
import Threads

/// Rows beside the log, in tables that whoever reads them describes: what they mean is not known here. They follow from
/// the log alone, so all of them can be dropped and written again. The position that they have reached is kept with
/// them, in one transaction. What they hold may lag behind the log, never lead it.
public protocol RowStore: AnyObject, Sendable {
    /// Writes `changes` in order and notes that everything up to `position` is in; nil leaves the position. Whoever
    /// asks later sees them.
    func apply(_ changes: [RowChange], reached position: Int?)

    /// Puts a row into a table that has versions, whoever writes the others: one of a later version stays. The position
    /// is left; whoever asks later sees the row, unless the rows may have gone back since: then it is not written.
    func note(_ row: [RowValue], in table: RowTable)

    /// Reads what all of `queries` ask for, as it is at one moment. `answer` is called once, from any thread and in the
    /// order in which was asked; what it is given has the rows of each query behind those of the one before.
    func ask(_ queries: [RowQuery], answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void)

    /// Begins to write, and answers as `ask`: what is applied next follows the position that is answered. Rows that are
    /// damaged are made again, so that position is 0. Where several processes share rows, nothing arrives after this
    /// of what those who wrote before apply.
    func begin(answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void)

    /// Why nothing is applied until the next `begin`; nil while it is. What is noted is written, and questions are
    /// answered, unless the rows are damaged.
    var halt: RowHalt? { get }

    /// Why changes wait to be written; nil while none does. They are tried again with each call.
    var writeFailure: EventLogError? { get }

    func close()
}

// What one process alone has.
extension RowStore {
    public func note(_ row: [RowValue], in table: RowTable) {
        table.checkNote(row)
        apply([.put(row, into: table)], reached: nil)
    }
    public func begin(answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void) {
        ask([], answer: answer)
    }
    public var halt: RowHalt? { nil }
    public var writeFailure: EventLogError? { nil }

    /// Whether nothing is applied until the next `begin`.
    public var isHalted: Bool { halt != nil }
}

/// Why a row store applies nothing.
public enum RowHalt: Sendable, Equatable {
    /// Another process has gone on with the rows, or they may have gone back.
    case overtaken
    /// Changes were given up: the rows are damaged, or could not be written for too long.
    case givenUp(EventLogError)
}

/// What the callers of a row store share with the thread that writes its rows.
final class RowStatus: Sendable {
    private let state = Mutex<RowHalt?>(nil)
    private let failure = Mutex<EventLogError?>(nil)
    /// How often there was a new connection to a database.
    let connections = Counter()

    var halt: RowHalt? { state.withLock { $0 } }

    /// Until `begin` nothing is applied. The first reason to give up stays.
    func halt(_ halt: RowHalt) {
        state.withLock { state in
            if case .givenUp = state { return }
            state = halt
        }
    }

    func begin() { state.withLock { $0 = nil } }

    /// Why changes wait to be written.
    var writeFailure: EventLogError? { failure.withLock { $0 } }

    func noteWriting(failed error: EventLogError?) { failure.withLock { $0 = error } }
}

/// The tables of a row store.
public struct RowLayout: Sendable, Equatable {
    /// Raised where rows come to say something else of the same log. Rows of another meaning or in other tables are
    /// dropped, and their position is 0 again.
    public let meaning: Int
    public let tables: [RowTable]

    public init(meaning: Int, tables: [RowTable]) {
        self.meaning = meaning
        self.tables = tables
    }
}

/// One change of a row store.
public enum RowChange: Sendable, Equatable {
    /// Takes the place of the row with the same key, unless that one is of a later version.
    case put([RowValue], into: RowTable)
    /// Takes out the rows whose first columns of this index are equal to these values.
    case delete(from: RowTable, by: String, equal: [RowValue])
    /// The same, and nothing of them stays on the disk.
    case erase(from: RowTable, by: String, equal: [RowValue])
}

/// What a row store answers.
public struct RowAnswer: Sendable, Equatable {
    /// Each with a value for each column of its table.
    public let rows: [[RowValue]]
    /// Everything up to here is in the rows; 0 in a new store.
    public let position: Int
}

/// Rows of one table, found by walking along one of its indexes: no query sorts, or reads what it does not give.
public struct RowQuery: Sendable, Equatable {
    let table: RowTable
    let index: RowIndex
    let equal: [RowValue]
    let range: Range<Int>?
    let isBackwards: Bool
    let after: [RowValue]?
    let limit: Int

    /// The rows whose first columns of the index are `equal`, and whose next column is within `range`, in the order of
    /// the columns that follow, or backwards. `after`: the last row of the page before, without null in those columns,
    /// which must all go the same way.
    public init(
        _ table: RowTable, by index: String, equal: [RowValue] = [], in range: Range<Int>? = nil,
        isBackwards: Bool = false, after: [RowValue]? = nil, limit: Int
    ) {
        self.table = table
        self.index = table.index(named: index)
        self.equal = equal
        self.range = range
        self.isBackwards = isBackwards
        self.after = after
        self.limit = limit
        precondition(!order.isEmpty, "\(index) has fewer columns")
        precondition(after == nil || Set(order.map(\.isDescending)).count == 1, "\(index) goes both ways")
    }

    /// The columns that the rows are in the order of.
    var order: [RowIndex.Part] { Array(index.parts.dropFirst(equal.count)) }
}
