import EventStore

/// A node's way to shared rows. The last node that began writes them, and continues from their position.
// Sendable only for the compiler: a world runs on one thread.
final class SharedRows: RowStore, @unchecked Sendable {
    private let rows: SimulatedRows
    /// The position as this node left it, or found it at `startWriting`. If it differs now, others continue the rows,
    /// or they have gone back with the database.
    private var reached: Int
    private var beginnings: Int
    private(set) var halt: RowHalt?
    /// The number of the connection to the database; nil while there is none.
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

    /// There is a new connection, perhaps to another database. Unwritten changes may be lost, and the writer begins
    /// again.
    func reconnect() {
        lastConnection += 1
        connection = lastConnection
        halt = .overtaken
    }

    func noteRow(_ row: [RowValue], in table: RowTable) {
        rows.call { [self, noted = connection] in
            guard let noted, noted == connection else { return }
            rows.store.apply([.put(row, into: table)], reached: nil)
        }
    }

    func ask(_ queries: [RowQuery], answer: @escaping RowReply) { rows.ask(queries, answer: answer) }

    func startWriting(answer: @escaping RowReply) {
        rows.call { [self] in
            guard connection != nil else { return answer(.failure(.cannotRead(reason: "no database is reached"))) }
            rows.beginnings += 1
            (beginnings, reached, halt) = (rows.beginnings, rows.store.position, nil)
            rows.store.ask([], answer: answer)
        }
    }

    /// The other nodes continue with them.
    func close() {}
}
