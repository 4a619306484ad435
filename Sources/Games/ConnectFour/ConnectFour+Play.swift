// The events of commands, deadlines and players who leave, and how events change the state.
extension ConnectFour {
    public func opening(at time: Milliseconds) -> [Event] { [turn(of: mover, at: time)] }

    public var turn: Seat? { isOver ? nil : mover }

    public var deadline: Milliseconds? { clock.deadline }

    /// A disc into each column that has room for one.
    public func legalCommands(for seat: Seat) -> [Command] {
        turn == seat ? (0..<Board.columns).filter { board.cell(in: $0) != nil }.map { .drop(column: $0) } : []
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

    private func turn(of seat: Seat, at now: Milliseconds) -> Event {
        .turn(seat: seat, deadline: setup.deadline(from: now))
    }

    /// The cells of the line, or lines, that a disc on `cell` makes; empty if it makes none.
    func line(by cell: Int) -> [Int] {
        let line = Board.lines(of: board.dropping(Board.bit(cell)).other)
        return (0..<Board.cellCount).filter { Board.bit($0) & line != 0 }
    }

    /// A player who runs out of time loses.
    public func wake(at now: Milliseconds) -> [Event] {
        guard !isOver, let deadline, now >= deadline else { return [] }
        return [.turnExpired(mover)]
    }

    public mutating func apply(_ event: Event, at time: Milliseconds) {
        clock.latest = time
        switch event {
        case .dropDisc(let cell, _, _):
            guard let bit = board.landing(in: cell % Board.columns) else { return }
            board = board.dropping(bit)
            drops.append(UInt8(cell % Board.columns))
            clock.deadline = nil
        case .turn(_, let deadline): clock.deadline = deadline
        case .turnExpired(let seat): finish(EarlyEnd(reason: .time, loser: seat))
        case .resigned(let seat): finish(EarlyEnd(reason: .resigned, loser: seat))
        }
    }

    public mutating func applyLeaving(of seat: Seat, at time: Milliseconds) {
        clock.latest = time
        if !isOver { finish(EarlyEnd(reason: .left, loser: seat)) }
    }

    private mutating func finish(_ end: EarlyEnd) {
        self.end = self.end ?? end
        clock.deadline = nil
    }

    public mutating func extendClock(by span: Milliseconds) { clock.extend(by: span) }
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
