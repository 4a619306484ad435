// The events of commands, and how events change the state.
extension Reversi {
    /// A disc on each cell where it flips another.
    public func legalCommands(for seat: Seat) -> [Command] {
        awaited.contains(seat) ? position.moves.cells.map { .place(cell: $0) } : []
    }

    public func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard !isOver else { throw .notRunning }
        guard players.contains(seat) else { throw .notYourTurn }
        switch command {
        case .resign: return [.resigned(seat)]
        case .place(let cell):
            guard seat == mover else { throw .notYourTurn }
            guard (0..<64).contains(cell) else { throw .noSuchSquare(cell) }
            guard position.empty & 1 << UInt64(cell) != 0 else { throw .cellIsTaken(cell) }
            let flips = position.flips(at: cell)
            guard flips != 0 else { throw .flipsNothing(cell) }
            return [.placeDisc(cell: cell, seat: seat, flips: flips)]
                + following(position.placing(cell, flipping: flips), after: seat, at: now)
        }
    }

    /// The next turn after `seat` has moved. A player who cannot move passes; if neither can, the game is over.
    private func following(_ position: Position, after seat: Seat, at now: Milliseconds) -> [Event] {
        let next = other(than: seat)
        if position.moves != 0 { return [turn(of: next, at: now)] }
        return position.isOver ? [] : [.pass(next), turn(of: seat, at: now)]
    }

    public mutating func apply(_ event: Event, at time: Milliseconds) {
        clock.latest = time
        switch event {
        case .placeDisc(let cell, _, let flips):
            guard (0..<64).contains(cell) else { return }
            position = position.placing(cell, flipping: flips)
            mover = other(than: mover)
            placed.append(UInt8(cell))
            flipped = flips
            (hasTurn, clock.deadline) = (false, nil)
        case .pass:
            position = position.passed
            mover = other(than: mover)
        case .turn(_, let deadline): (hasTurn, clock.deadline) = (true, deadline)
        case .turnExpired(let seat): finish(.time, losing: seat)
        case .resigned(let seat): finish(.resigned, losing: seat)
        }
    }
}

extension Rejection {
    static func noSuchSquare(_ cell: Int) -> Rejection {
        Rejection(
            "no-such-cell", "There is no cell \(cell). Cells are numbered from 0 to 63.",
            values: ["cell": .integer(cell), "range": .integers([0, 63])])
    }

    static func cellIsTaken(_ cell: Int) -> Rejection {
        Rejection("cell-is-taken", "There is already a disc on this cell.", values: ["cell": .integer(cell)])
    }

    static func flipsNothing(_ cell: Int) -> Rejection {
        Rejection("flips-nothing", "A disc there would not flip any other.", values: ["cell": .integer(cell)])
    }
}
