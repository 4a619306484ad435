import EventStore

/// A node's way to rows that several share: whoever begins last writes them, and goes on from where they are.
// Sendable to the compiler alone: a world is on one thread.
final class SharedRows: RowStore, @unchecked Sendable {
    private let rows: SimulatedRows
    /// As it has left them, or found them when it began: found otherwise, others have gone on with them, or they have
    /// gone back with the database.
    private var reached: Int
    private var beginnings: Int
    private(set) var halt: RowHalt?
    /// The connection to the database, counted; nil while there is none.
    private var connection: Int? = 0
    private var lastConnection = 0

    init(_ rows: SimulatedRows) {
        (self.rows, beginnings, reached) = (rows, rows.beginnings, rows.store.position)
    }

    func apply(_ changes: [RowChange], reached position: Int?) {
        rows.call { [self] in
            if rows.beginnings != beginnings || rows.store.position != reached { halt = .overtaken }
            guard halt == nil else { return }
            rows.store.apply(changes, reached: position)
            reached = position ?? reached
        }
    }

    func disconnect() {
        connection = nil
        halt = .overtaken
    }

    /// There is a new connection, perhaps to another database: what was to be written may be lost by now, and whoever
    /// writes begins anew.
    func reconnect() {
        lastConnection += 1
        connection = lastConnection
        halt = .overtaken
    }

    func note(_ row: [RowValue], in table: RowTable) {
        rows.call { [self, noted = connection] in
            guard let noted, noted == connection else { return }
            rows.store.apply([.put(row, into: table)], reached: nil)
        }
    }

    func ask(_ queries: [RowQuery], answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void) {
        rows.ask(queries, answer: answer)
    }

    func begin(answer: @escaping @Sendable (Result<RowAnswer, EventLogError>) -> Void) {
        rows.call { [self] in
            guard connection != nil else { return answer(.failure(.cannotRead(reason: "no database is reached"))) }
            rows.beginnings += 1
            (beginnings, reached, halt) = (rows.beginnings, rows.store.position, nil)
            rows.store.ask([], answer: answer)
        }
    }

    /// The others go on with them.
    func close() {}
}
