/// Reversi, by the rules of Othello: a disc must take discs of the other's between itself and another of one's own.
struct ReversiModel: DuelModel {
    var duel: Duel
    /// By cell, row by row from a1: whose disc lies there, in the order of turns; -1: none.
    var cells = [Int8](repeating: -1, count: 64)
    private var moves = ""
    private var last: (cell: Int, flips: [Int])?

    init(_ started: JSON, _ deal: Deal) throws(BrokenPromise) {
        duel = try Duel(started, deal, game: "reversi", columns: 8, rows: 8)
        for cell in [28, 35] { cells[cell] = Int8(duel.first) }
        for cell in [27, 36] { cells[cell] = Int8(1 - duel.first) }
    }

    var view: JSON {
        let legal = duel.lost == nil ? legalMoves(of: duel.current) : []
        return duel.viewMembers(
            cells,
            [
                ("black", .number(duel.seats[duel.first])), ("legal", .numbers(legal)), ("moves", .text(moves)),
                ("counts", .bySeat([0, 1].map { SeatNumber(duel.seats[$0], count(of: $0)) })),
                ("last", last.map { ["cell": .number($0.cell), "flips": .numbers($0.flips)] }),
            ])
    }

    // MARK: The board

    func count(of index: Int) -> Int { cells.count { $0 == Int8(index) } }

    /// The discs that a disc of the player `index` on an empty cell would turn over, in ascending order.
    func flips(at cell: Int, by index: Int) -> [Int] {
        guard cells[cell] < 0 else { return [] }
        var found: [Int] = []
        for (right, down) in Self.directions {
            var (column, row, length) = (cell % 8 + right, cell / 8 + down, 0)
            while (0..<8).contains(column), (0..<8).contains(row), cells[row * 8 + column] == Int8(1 - index) {
                (column, row, length) = (column + right, row + down, length + 1)
            }
            guard length > 0, (0..<8).contains(column), (0..<8).contains(row), cells[row * 8 + column] == Int8(index)
            else { continue }
            for step in 1...length { found.append(cell + step * (down * 8 + right)) }
        }
        return found.sorted()
    }

    private static let directions = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]

    /// In ascending order.
    func legalMoves(of index: Int) -> [Int] { cells.indices.filter { isLegal($0, by: index) } }

    private func canMove(_ index: Int) -> Bool { cells.indices.contains { isLegal($0, by: index) } }

    /// As `flips`, without a list of them.
    private func isLegal(_ cell: Int, by index: Int) -> Bool {
        guard cells[cell] < 0 else { return false }
        let (own, other) = (Int8(index), Int8(1 - index))
        for (right, down) in Self.directions {
            var (column, row, length) = (cell % 8 + right, cell / 8 + down, 0)
            while column >= 0, column < 8, row >= 0, row < 8, cells[row * 8 + column] == other {
                (column, row, length) = (column + right, row + down, length + 1)
            }
            if length > 0, column >= 0, column < 8, row >= 0, row < 8, cells[row * 8 + column] == own { return true }
        }
        return false
    }

    private mutating func place(_ cell: Int, _ flips: [Int], by index: Int) {
        cells[cell] = Int8(index)
        for flipped in flips { cells[flipped] = Int8(index) }
    }

    // MARK: What happens

    mutating func apply(_ event: GameEvent, at time: Int) {
        switch event {
        case .placeDisc(let cell, let seat, let flips):
            guard let index = duel.players.index(of: seat) else { return }
            place(cell, flips, by: index)
            last = (cell, flips)
            moves.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(cell % 8)))
            moves.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "1") + UInt8(cell / 8)))
            duel.deadline = nil
            duel.hasMoved = true
            duel.current = 1 - index
        case .pass(let seat): if let index = duel.players.index(of: seat) { duel.current = 1 - index }
        default: _ = duel.apply(event, at: time)
        }
    }

    func verdict(on command: GameCommand, of index: Int, at time: Int, gone: [Absence]) -> Verdict? {
        guard case .place(let cell) = command else { return nil }
        return place(cell, by: index, at: time, gone)
    }

    private func place(_ cell: Int, by index: Int, at time: Int, _ gone: [Absence]) -> Verdict {
        guard index == duel.current else { return .refused(code: "not-your-turn", values: []) }
        let named = JSON.Member("cell", .number(cell))
        guard cells.indices.contains(cell) else {
            return .refused(code: "no-such-cell", values: [named, .init("range", [0, 63])])
        }
        guard cells[cell] < 0 else { return .refused(code: "cell-is-taken", values: [named]) }
        let flips = flips(at: cell, by: index)
        guard !flips.isEmpty else { return .refused(code: "flips-nothing", values: [named]) }
        let placed = GameEvent.placeDisc(cell: cell, seat: duel.seats[index], flips: flips)
        var after = self
        after.place(cell, flips, by: index)
        if after.canMove(1 - index) { return .events([placed, duel.turn(of: 1 - index, at: time)]) }
        if after.canMove(index) {
            return .events([placed, .pass(seat: duel.seats[1 - index]), duel.turn(of: index, at: time)])
        }
        return .events([placed, after.ending(reason: "finished", at: time, gone: gone)])
    }

    var winner: Int? { duel.lost.map { 1 - $0.index } }

    func results(at time: Int) -> [GameResult] {
        let counts = [count(of: 0), count(of: 1)]
        let winner = duel.lost.map { 1 - $0.index } ?? (counts[0] == counts[1] ? nil : counts[0] > counts[1] ? 0 : 1)
        return [0, 1].map { index in
            var result = duel.players.result(index, score: counts[index], time: max(0, time - duel.startedAt))
            let empty = 64 - counts[0] - counts[1]
            result.tournament = counts[index] + (winner == index ? empty : winner == nil ? empty / 2 : 0)
            return result
        }
    }

    func someMove(_ choice: Int) -> GameCommand? {
        guard !isOver, duel.lost == nil else { return nil }
        for step in 0..<64 where isLegal((choice + step) % 64, by: duel.current) {
            return .place(cell: (choice + step) % 64)
        }
        return nil
    }

    /// A corner.
    func goodMove(_ choice: Int) -> GameCommand? {
        guard !isOver, duel.lost == nil else { return nil }
        return [0, 7, 56, 63].first { isLegal($0, by: duel.current) }.map { .place(cell: $0) }
    }
}
