import EventStore
import Records

/// What a row of a read model is: a value in Swift, and as it stands in its table.
protocol ReadModelRow: Sendable {
    static var table: RowTable { get }
    /// A value for each column of the table.
    var values: [RowValue] { get }
    /// From the values of all columns; nil for what is damaged.
    init?(_ values: [RowValue])

    /// The types of the events that change something.
    static var kinds: [String] { get }
    /// What a record of such an event changes. Nothing else does, but for rooms, whose rows are folded one by one, and
    /// snapshots, which rooms write themselves.
    static func changes(by record: Record) -> [RowChange]
    /// What it changes that a stream was forgotten.
    static func changes(by erasure: Erasure) -> [RowChange]
}

extension ReadModelRow {
    static var kinds: [String] { [] }
    static func changes(by record: Record) -> [RowChange] { [] }
    static func changes(by erasure: Erasure) -> [RowChange] { [] }

    /// Puts this row into its table.
    var change: RowChange { .put(values, into: Self.table) }
}

/// What can be asked of a read model: a function beside the row makes one, and that is all that there is to it.
struct ReadModelQuery<Row: ReadModelRow> {
    /// Those of the first find their rows ahead of those of the second.
    let walks: [RowQuery]
}

/// Takes the rows that were found.
typealias Found<Row> = (Result<[Row], EventLogError>) -> Void

/// What must be found without waking rooms: rows that are folded from the log, asked for by one loop and answered
/// there. Each model has a file of its own, with its rows and what can be asked of it. Where rows are lost they are
/// folded anew, all but snapshots: a room that has none is read from its beginning, until it takes the next.
final class ReadModels {
    static let all: [any ReadModelRow.Type] = [
        RoomRow.self, PlayerRow.self, ResultRow.self, RunningSeatRow.self, SnapshotRow.self,
    ]
    static let layout = RowLayout(meaning: 4, tables: all.map { $0.table })

    /// By the types of the events that change them: most records are moves, and change none.
    private static let byKind = all.reduce(into: [String: [any ReadModelRow.Type]]()) { models, model in
        for kind in model.kinds { models[kind, default: []].append(model) }
    }

    private let store: any RowStore
    /// Brings an answer of the store to this loop.
    private let post: @Sendable (ReadModelAnswer) -> Void
    /// One for each question that is under way.
    private var asking: [UInt64: (Result<RowAnswer, EventLogError>) -> Void] = [:]
    private var lastQuestion: UInt64 = 0

    init(_ store: any RowStore, post: @escaping @Sendable (ReadModelAnswer) -> Void) {
        self.store = store
        self.post = post
    }

    /// What `records` change, in order.
    static func changes(by records: [Record]) -> [RowChange] {
        var changes: [RowChange] = []
        for record in records {
            for model in byKind[record.event.type] ?? [] { changes += model.changes(by: record) }
        }
        return changes
    }

    /// Writes `changes` in order, and that everything up to `position` of the log is in; nil leaves that. Who asks from
    /// now on sees them.
    func write(_ changes: [RowChange], reached position: Int? = nil) { store.apply(changes, reached: position) }

    /// Writes a row that no record changes by itself, whichever node writes all others.
    func note<Row: ReadModelRow>(_ row: Row) { store.note(row.values, in: Row.table) }

    /// The position of the log up to which everything is in.
    func position(then: @escaping (Result<Int, EventLogError>) -> Void) {
        ask([]) { then($0.map(\.position)) }
    }

    /// Begins to write: the position of the log up to which everything is in, whoever has written it.
    func begin(then: @escaping (Result<Int, EventLogError>) -> Void) {
        let number = draw { then($0.map(\.position)) }
        store.begin { [post] in post(ReadModelAnswer(question: number, result: $0)) }
    }

    /// Why what is written does not arrive until it is begun again; nil while it does.
    var halt: RowHalt? { store.halt }
    /// Why what was written waits; nil while it does not.
    var writeFailure: EventLogError? { store.writeFailure }

    /// The rows that `query` finds, in its order. `then` is called on this loop.
    func find<Row>(_ query: ReadModelQuery<Row>, then: @escaping Found<Row>) {
        ask(query.walks) { then($0.map { $0.rows.compactMap { Row($0) } }) }
    }

    /// The same, with the position of the log up to which everything is in.
    func findAtPosition<Row>(
        _ query: ReadModelQuery<Row>, then: @escaping (Result<(rows: [Row], position: Int), EventLogError>) -> Void
    ) {
        ask(query.walks) { then($0.map { ($0.rows.compactMap { Row($0) }, $0.position) }) }
    }

    private func ask(_ queries: [RowQuery], then: @escaping (Result<RowAnswer, EventLogError>) -> Void) {
        let number = draw(then)
        store.ask(queries) { [post] in post(ReadModelAnswer(question: number, result: $0)) }
    }

    private func draw(_ then: @escaping (Result<RowAnswer, EventLogError>) -> Void) -> UInt64 {
        lastQuestion += 1
        asking[lastQuestion] = then
        return lastQuestion
    }

    /// An answer that was posted to this loop.
    func received(_ answer: ReadModelAnswer) { asking.removeValue(forKey: answer.question)?(answer.result) }
}

/// What the read models answer to a question of a loop, on its way there.
struct ReadModelAnswer: Sendable {
    fileprivate let question: UInt64
    fileprivate let result: Result<RowAnswer, EventLogError>

    /// Why there is none.
    var failure: EventLogError? { if case .failure(let error) = result { error } else { nil } }
}
