import Synchronization
import Threads

/// Rows next to the log, in tables that the caller describes; the store does not know what they mean. They follow from
/// the log alone, so they can all be dropped and written again. The position that they have reached is stored with them
/// in one transaction. They may lag behind the log, but never lead it.
public protocol RowStore: AnyObject, Sendable {
    /// Writes `changes` in order and notes that everything up to `position` is in; nil leaves the position. Later
    /// questions see them.
    func apply(_ changes: [RowChange], reached position: Int?)

    /// Puts a row into a table with versions, no matter who writes its other rows. A row with a later version stays.
    /// The position is unchanged. Later questions see the row, unless the rows may have gone back since: then it is not
    /// written.
    func noteRow(_ row: [RowValue], in table: RowTable)

    /// Reads the rows of all `queries` at one moment, in the order of the queries. `answer` is called once, from any
    /// thread, in the order of calls.
    func ask(_ queries: [RowQuery], answer: @escaping RowReply)

    /// Starts writing, and answers as `ask` does: the next `apply` follows the answer's position. Damaged rows are
    /// created again, with position 0. If several processes share the rows, nothing that earlier writers apply arrives
    /// after this.
    func startWriting(answer: @escaping RowReply)

    /// Why nothing is applied until the next `startWriting`; nil otherwise. Notes are still written and questions
    /// answered, unless the rows are damaged.
    var halt: RowHalt? { get }

    /// Why changes wait to be written; nil if none do. Each call retries them.
    var writeFailure: EventLogError? { get }

    func close()
}

// For stores of a single process.
extension RowStore {
    public func noteRow(_ row: [RowValue], in table: RowTable) {
        table.checkNote(row)
        apply([.put(row, into: table)], reached: nil)
    }
    public func startWriting(answer: @escaping RowReply) { ask([], answer: answer) }
    public var halt: RowHalt? { nil }
    public var writeFailure: EventLogError? { nil }

    public var isHalted: Bool { halt != nil }
}

/// Why a row store applies nothing.
public enum RowHalt: Sendable, Equatable {
    /// Another process continues the rows, or they may have gone back.
    case overtaken
    /// Changes were dropped: the rows are damaged, or could not be written for too long.
    case givenUp(EventLogError)
}

/// What the callers of a row store share with the thread that writes its rows.
final class RowStatus: Sendable {
    private let state = Mutex<RowHalt?>(nil)
    private let failure = Mutex<EventLogError?>(nil)
    let connections = Counter()

    var halt: RowHalt? { state.withLock { $0 } }

    /// Nothing is applied until `startWriting`. The first reason to give up stays.
    func halt(_ halt: RowHalt) {
        state.withLock { state in
            if case .givenUp = state { return }
            state = halt
        }
    }

    func resume() { state.withLock { $0 = nil } }

    /// Why changes wait to be written.
    var writeFailure: EventLogError? { failure.withLock { $0 } }

    func recordWrite(failure error: EventLogError?) { failure.withLock { $0 = error } }
}

/// The tables of a row store.
public struct RowLayout: Sendable, Equatable {
    /// Raise it when rows come to mean something else for the same log. Rows of another meaning or other tables are
    /// dropped, and the position returns to 0.
    public let meaning: Int
    public let tables: [RowTable]

    public init(meaning: Int, tables: [RowTable]) { (self.meaning, self.tables) = (meaning, tables) }
}

/// One change of a row store.
public enum RowChange: Sendable, Equatable {
    /// Replaces the row with the same key, unless that row has a later version.
    case put([RowValue], into: RowTable)
    /// Deletes the rows whose first columns in this index equal these values.
    case delete(from: RowTable, by: String, equal: [RowValue])
    /// The same, and leaves nothing of them on the disk.
    case erase(from: RowTable, by: String, equal: [RowValue])
}

public typealias RowReply = @Sendable (Result<RowAnswer, EventLogError>) -> Void

/// The answer of a row store.
public struct RowAnswer: Sendable, Equatable {
    /// Each has a value for each column of its table.
    public let rows: [[RowValue]]
    /// The rows have everything up to here; 0 in a new store.
    public let position: Int
}

/// Rows of one table, found along one of its indexes: no query sorts, or reads rows that it does not return.
public struct RowQuery: Sendable, Equatable {
    let table: RowTable
    let index: RowIndex
    let equal: [RowValue]
    let range: Range<Int>?
    let isBackwards: Bool
    let after: [RowValue]?
    let limit: Int

    /// The rows whose first columns of the index are `equal`, and whose next column is in `range`, in the order of the
    /// remaining columns, or backwards. `after` is the last row of the page before. It must have no null in the
    /// remaining columns, and these must all have one direction.
    public init(
        _ table: RowTable, by index: String, equal: [RowValue] = [], in range: Range<Int>? = nil,
        isBackwards: Bool = false, after: [RowValue]? = nil, limit: Int
    ) {
        (self.table, self.index) = (table, table.index(named: index))
        (self.equal, self.range, self.after) = (equal, range, after)
        (self.isBackwards, self.limit) = (isBackwards, limit)
        precondition(!order.isEmpty, "\(index) has fewer columns")
        precondition(after == nil || Set(order.map(\.isDescending)).count == 1, "\(index) goes both ways")
    }

    /// The columns that order the rows.
    var order: [RowIndex.Part] { Array(index.parts.dropFirst(equal.count)) }

    /// The values of its parameters in SQL.
    var values: [RowValue] {
        let bounds = range.map { [RowValue.integer($0.lowerBound), .integer($0.upperBound)] } ?? []
        let place = after.map { row in order.map { row[table.place(of: $0.column)] } } ?? []
        return equal + bounds + place + [.integer(limit)]
    }
}
