/// Connect four: discs fall to the bottom of seven columns of six cells; four in a row win.
struct ConnectFourModel: DuelModel {
    var duel: Duel
    /// By cell, row by row from the top: whose disc lies there, in the order of turns; -1: none.
    private(set) var cells = [Int8](repeating: -1, count: 42)
    private var moves = ""
    private var last: Int?
    private var line: [Int]?
    private var turns = [0, 0]

    init(_ started: JSON, _ deal: Deal) throws(BrokenPromise) {
        duel = try Duel(started, deal, game: "connect-four", columns: 7, rows: 6)
    }

    var view: JSON {
        duel.viewMembers(
            cells,
            [
                ("first", .number(duel.seats[duel.first])), ("moves", .text(moves)), ("last", last.map(JSON.number)),
                ("line", line.map(JSON.numbers)),
                ("turns", .bySeat([0, 1].map { SeatNumber(duel.seats[$0], turns[$0]) })),
            ])
    }

    // MARK: The board

    /// Where a disc dropped into a column comes to lie; nil: it is full.
    private func landing(_ column: Int) -> Int? {
        stride(from: 35 + column, through: 0, by: -7).first { cells[$0] < 0 }
    }

    /// All cells of rows of four and more that a disc on `cell` would be part of, in ascending order; nil: there is
    /// none.
    func line(through cell: Int, by index: Int) -> [Int]? {
        var won: [Int] = []
        for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let row = run(from: cell, right, down, index) + run(from: cell, -right, -down, index)
            if row.count >= 3 { won += row }
        }
        return won.isEmpty ? nil : (won + [cell]).sorted()
    }

    /// The discs of a player beside `cell` in one direction.
    private func run(from cell: Int, _ right: Int, _ down: Int, _ index: Int) -> [Int] {
        var found: [Int] = []
        var (column, row) = (cell % 7 + right, cell / 7 + down)
        while (0..<7).contains(column), (0..<6).contains(row), cells[row * 7 + column] == Int8(index) {
            found.append(row * 7 + column)
            (column, row) = (column + right, row + down)
        }
        return found
    }

    // MARK: What happens

    mutating func apply(_ event: GameEvent, at time: Int) {
        guard case .dropDisc(let cell, let seat, let line) = event else {
            _ = duel.apply(event, at: time)
            return
        }
        guard let index = duel.players.index(of: seat) else { return }
        cells[cell] = Int8(index)
        moves.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "1") + UInt8(cell % 7)))
        last = cell
        turns[index] += 1
        if let line { self.line = line }
        duel.deadline = nil
        duel.hasMoved = true
        duel.current = 1 - index
    }

    func verdict(on command: GameCommand, of index: Int, at time: Int, gone: [Absence]) -> Verdict? {
        guard case .drop(let column) = command else { return nil }
        return drop(column, by: index, at: time, gone)
    }

    private func drop(_ column: Int, by index: Int, at time: Int, _ gone: [Absence]) -> Verdict {
        guard index == duel.current else { return .refused(code: "not-your-turn", values: []) }
        let named = JSON.Member("column", .number(column))
        guard (0..<7).contains(column) else {
            return .refused(code: "no-such-column", values: [named, .init("range", [0, 6])])
        }
        guard let cell = landing(column) else { return .refused(code: "column-is-full", values: [named]) }
        let line = line(through: cell, by: index)
        let dropped = GameEvent.dropDisc(cell: cell, seat: duel.seats[index], line: line)
        let isFull = cells.count { $0 < 0 } == 1
        guard line != nil || isFull else { return .events([dropped, duel.turn(of: 1 - index, at: time)]) }
        return .events(over(by: dropped, "finished", at: time, gone))
    }

    var winner: Int? { duel.lost.map { 1 - $0.index } ?? line.map { Int(cells[$0[0]]) } }

    func results(at time: Int) -> [GameResult] {
        [0, 1].map { index in
            let score = winner == index ? 1 : 0
            var result = duel.players.result(index, score: score, time: max(0, time - duel.startedAt))
            result.turns = turns[index]
            return result
        }
    }

    func someMove(_ choice: Int) -> GameCommand? {
        guard !isOver, duel.lost == nil, line == nil else { return nil }
        return (0..<7).lazy.map { (choice + $0) % 7 }.first { cells[$0] < 0 }.map { .drop(column: $0) }
    }

    /// One that wins at once.
    func goodMove(_ choice: Int) -> GameCommand? {
        guard !isOver, duel.lost == nil, line == nil else { return nil }
        let winning = (0..<7).first { landing($0).flatMap { line(through: $0, by: duel.current) } != nil }
        return winning.map { .drop(column: $0) }
    }
}
