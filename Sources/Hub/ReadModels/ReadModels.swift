import EventStore
import Records
import RoomRules
import Rooms

/// A row of a read model, as a Swift value and in its table.
protocol ReadModelRow: Sendable {
    static var table: RowTable { get }
    /// A value for each column of the table.
    var values: [RowValue] { get }
    /// From the values of all columns; nil if they are damaged.
    init?(_ values: [RowValue])

    /// The types of events that change rows.
    static var kinds: [String] { get }
    /// The changes by a record of such an event. Nothing else changes rows, except that rooms' rows are folded one by
    /// one, and rooms write their snapshots themselves.
    static func changes(by record: Record) -> [RowChange]
    /// The changes after a stream was erased.
    static func changes(by erasure: Erasure) -> [RowChange]
}

extension ReadModelRow {
    static var kinds: [String] { [] }
    static func changes(by record: Record) -> [RowChange] { [] }
    static func changes(by erasure: Erasure) -> [RowChange] { [] }

    var change: RowChange { .put(values, into: Self.table) }
}

/// A question to a read model. A static function beside the row makes it.
struct ReadModelQuery<Row: ReadModelRow> {
    /// The rows of the first come before those of the second.
    let walks: [RowQuery]
}

typealias Found<Row> = (Result<[Row], EventLogError>) -> Void

/// Everything that must be found without waking rooms: rows folded from the log. One loop asks for them and gets the
/// answers. Each model has a file with its rows and its queries. Lost rows are folded again, except snapshots: a room
/// without one is read from its beginning until it takes the next.
final class ReadModels {
    static let all: [any ReadModelRow.Type] = [
        RoomRow.self, PlayerRow.self, ResultRow.self, RunningSeatRow.self, SnapshotRow.self,
    ]
    static let layout = RowLayout(meaning: 4, tables: all.map { $0.table })

    /// By the types of events that change them. Most records are moves, which change none.
    private static let byKind = all.reduce(into: [String: [any ReadModelRow.Type]]()) { models, model in
        for kind in model.kinds { models[kind, default: []].append(model) }
    }

    private let store: any RowStore
    /// Brings an answer of the store to this loop.
    private let post: @Sendable (ReadModelAnswer) -> Void
    private var pending = PendingReplies<Result<RowAnswer, EventLogError>>()

    init(_ store: any RowStore, post: @escaping @Sendable (ReadModelAnswer) -> Void) {
        self.store = store
        self.post = post
    }

    /// The changes by `records`, in order.
    static func changes(by records: [Record]) -> [RowChange] {
        var changes: [RowChange] = []
        for record in records {
            for model in byKind[record.event.type] ?? [] { changes += model.changes(by: record) }
        }
        return changes
    }

    /// Writes `changes` in order, and that all records up to `position` are included; nil leaves that position. Later
    /// questions see the changes.
    func write(_ changes: [RowChange], reached position: Int? = nil) { store.apply(changes, reached: position) }

    /// Writes a row that follows from no single record, whichever node writes the others.
    func writeRow<Row: ReadModelRow>(_ row: Row) { store.noteRow(row.values, in: Row.table) }

    /// The position of the log up to which everything is included.
    func position(then: @escaping (Result<Int, EventLogError>) -> Void) {
        ask([]) { then($0.map(\.position)) }
    }

    /// Starts writing. Returns the position of the log up to which everything is included, whichever node wrote it.
    func startWriting(then: @escaping (Result<Int, EventLogError>) -> Void) {
        let number = pending.add { then($0.map(\.position)) }
        store.startWriting { [post] in post(ReadModelAnswer(question: number, result: $0)) }
    }

    /// Why written rows do not arrive until `startWriting` is called again; nil while they do.
    var halt: RowHalt? { store.halt }
    /// Why written rows wait; nil if they do not.
    var writeFailure: EventLogError? { store.writeFailure }

    /// The rows that `query` finds, in its order. Calls `then` on this loop.
    func find<Row>(_ query: ReadModelQuery<Row>, then: @escaping Found<Row>) {
        ask(query.walks) { then($0.map { $0.rows.compactMap { Row($0) } }) }
    }

    /// As `find`, with the position of the log up to which everything is included.
    func findAtPosition<Row>(
        _ query: ReadModelQuery<Row>, then: @escaping (Result<(rows: [Row], position: Int), EventLogError>) -> Void
    ) {
        ask(query.walks) { then($0.map { ($0.rows.compactMap { Row($0) }, $0.position) }) }
    }

    private func ask(_ queries: [RowQuery], then: @escaping (Result<RowAnswer, EventLogError>) -> Void) {
        let number = pending.add(then)
        store.ask(queries) { [post] in post(ReadModelAnswer(question: number, result: $0)) }
    }

    /// Takes an answer that was posted to this loop.
    func answerArrived(_ answer: ReadModelAnswer) { pending.remove(answer.question)?(answer.result) }
}

extension ReadModels: RoomRows {
    func findSnapshot(ofRoom code: String, then: @escaping (KeptSnapshot?) -> Void) {
        find(.snapshot(ofRoom: code)) { rows in
            then((try? rows.get().first).map { KeptSnapshot(end: $0.end, bytes: $0.bytes) })
        }
    }

    func keep(_ snapshot: RoomSnapshot) { writeRow(SnapshotRow(snapshot)) }

    func findNames(of players: [PlayerID], then: @escaping ([(player: PlayerID, name: String)]) -> Void) {
        find(.players(ids: players)) { rows in
            then((try? rows.get())?.map { ($0.id, $0.name) } ?? [])
        }
    }
}

/// An answer of the read models that is posted to a loop.
struct ReadModelAnswer: Sendable {
    fileprivate let question: UInt64
    fileprivate let result: Result<RowAnswer, EventLogError>

    var failure: EventLogError? { if case .failure(let error) = result { error } else { nil } }
}
