// The events of commands, and how events change the state.
extension ConnectFour {
    /// A disc into each column that has room for one.
    public func legalCommands(for seat: Seat) -> [Command] {
        awaited.contains(seat) ? (0..<Board.columns).filter { board.cell(in: $0) != nil }.map { .drop(column: $0) } : []
    }

    public func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard !isOver else { throw .notRunning }
        guard players.contains(seat) else { throw .notYourTurn }
        switch command {
        case .resign: return [.resigned(seat)]
        case .drop(let column):
            guard seat == mover else { throw .notYourTurn }
            guard (0..<Board.columns).contains(column) else { throw .noSuchColumn(column) }
            guard let cell = board.cell(in: column) else { throw .columnIsFull(column) }
            let next = board.dropping(Board.bit(cell))
            let drop = Event.dropDisc(cell: cell, seat: seat, line: line(by: cell))
            return next.isOver ? [drop] : [drop, turn(of: other(than: seat), at: now)]
        }
    }

    /// The cells of the line, or lines, that a disc on `cell` makes; empty if it makes none.
    func line(by cell: Int) -> [Int] {
        let line = Board.lines(of: board.dropping(Board.bit(cell)).other)
        return (0..<Board.cellCount).filter { Board.bit($0) & line != 0 }
    }

    public mutating func apply(_ event: Event, at time: Milliseconds) {
        clock.latest = time
        switch event {
        case .dropDisc(let cell, _, _):
            guard let bit = board.landing(in: cell % Board.columns) else { return }
            board = board.dropping(bit)
            drops.append(UInt8(cell % Board.columns))
            (hasTurn, clock.deadline) = (false, nil)
        case .turn(_, let deadline): (hasTurn, clock.deadline) = (true, deadline)
        case .turnExpired(let seat): finish(.time, losing: seat)
        case .resigned(let seat): finish(.resigned, losing: seat)
        }
    }
}

extension Rejection {
    static func noSuchColumn(_ column: Int) -> Rejection {
        Rejection(
            "no-such-column", "There is no column \(column). Columns are numbered from 0 to 6.",
            values: ["column": .integer(column), "range": .integers([0, 6])])
    }

    static func columnIsFull(_ column: Int) -> Rejection {
        Rejection("column-is-full", "This column is full.", values: ["column": .integer(column)])
    }
}
