import JSON

extension ConnectFour {
    /// What a player asks for.
    public enum Command: GameCommand {
        /// `drop {column}`: drops a disc into a column from 0, the leftmost, to 6.
        case drop(column: Int)
        case resign

        public enum Kind: String, CaseIterable, Sendable {
            case drop, resign
        }

        public init(_ kind: Kind, fields: Fields) throws(Rejection) {
            switch kind {
            case .drop:
                guard let column = fields["column"]?.integer else { throw .badField("column", "a whole number") }
                self = .drop(column: column)
            case .resign: self = .resign
            }
        }

        public var kind: Kind {
            switch self {
            case .drop: .drop
            case .resign: .resign
            }
        }

        public var fields: Fields {
            switch self {
            case .drop(let column): ["column": .integer(column)]
            case .resign: [:]
            }
        }
    }

    /// What has happened in a game.
    public enum Event: BoardEvent {
        /// `line` has the cells of the winning line, ascending; empty if the disc did not win.
        case dropDisc(cell: Int, seat: Seat, line: [Int])
        case turn(seat: Seat, deadline: Milliseconds?)
        case turnExpired(Seat)
        case resigned(Seat)

        public enum Kind: String, CaseIterable, Sendable {
            case dropDisc = "drop-disc"
            case turn
            case turnExpired = "turn-expired"
            case resigned
        }

        public var kind: Kind {
            switch self {
            case .dropDisc: .dropDisc
            case .turn: .turn
            case .turnExpired: .turnExpired
            case .resigned: .resigned
            }
        }
    }

    /// `drop-disc` {cell, seat, line?: the winning cells}, `turn` {seat, deadline?}, `turn-expired`, `resigned` {seat}.
    public func fields(of event: Event) -> Fields {
        switch event {
        case .dropDisc(let cell, let seat, let line):
            line.isEmpty
                ? ["cell": .integer(cell), "seat": .integer(seat.rawValue)]
                : ["cell": .integer(cell), "seat": .integer(seat.rawValue), "line": .integers(line)]
        case .turn(let seat, let deadline?): ["seat": .integer(seat.rawValue), "deadline": .integer(deadline)]
        case .turn(let seat, nil), .turnExpired(let seat), .resigned(let seat): ["seat": .integer(seat.rawValue)]
        }
    }

    public func event(_ kind: Event.Kind, fields: Fields) -> Event? {
        guard !isOver, let seat = fields["seat"]?.integer.map({ Seat($0) }), players.contains(seat) else { return nil }
        switch kind {
        case .dropDisc:
            guard hasTurn, seat == mover, let cell = fields["cell"]?.integer, (0..<Board.cellCount).contains(cell),
                board.cell(in: cell % Board.columns) == cell
            else { return nil }
            let line = line(by: cell)
            guard fields["line"] == (line.isEmpty ? nil : .integers(line)) else { return nil }
            return .dropDisc(cell: cell, seat: seat, line: line)
        case .turn: return readTurn(of: seat, fields)
        case .turnExpired: return seat == mover && clock.deadline != nil ? .turnExpired(seat) : nil
        case .resigned: return hasTurn ? .resigned(seat) : nil
        }
    }
}
