import JSON

/// The setup of a game for two on a board of fixed size. The only option is the time for a move.
public struct BoardSetup: GameSetup {
    let columns: Int
    let rows: Int
    let turnTime: TurnTime

    public var mode: String { "\(columns)x\(rows)" }
    public var options: Fields { ["seats": 2, "turnTime": turnTime.value] }
    public var fields: Fields { ["board": .object(["columns": .integer(columns), "rows": .integer(rows)])] }

    init(_ asked: Fields, columns: Int, rows: Int) throws(Rejection) {
        let reader = try OptionReader(asked, known: ["seats", "turnTime"])
        _ = try reader.integer("seats", in: 2...2)
        turnTime = try TurnTime(reader)
        (self.columns, self.rows) = (columns, rows)
    }

    public init?(options: Fields, fields: Fields) {
        guard let board = fields["board"]?.object, let columns = board["columns"]?.integer,
            let rows = board["rows"]?.integer, let setup = try? BoardSetup(options, columns: columns, rows: rows)
        else { return nil }
        self = setup
    }
}
