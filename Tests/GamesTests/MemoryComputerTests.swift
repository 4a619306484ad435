import Cryptography
import JSON
import Testing

@testable import Games

@Suite("Memory: computer players") struct MemoryComputerTests {
    @Test("there are three levels, the weakest first")
    func levels() { #expect(Memory.Computer.levels == ["easy", "medium", "perfect"]) }

    /// Means of sample games differ from the true mean: of 10,000 by about 0.1 %, of 1,000 by 0.4 %.
    @Test("alone, a perfect memory needs as many turns as best play", arguments: [4, 8, 10])
    func perfect(pairs: Int) throws {
        let expected = PerfectMemory(pairs: pairs).turns
        let mean = try meanTurns(level: "perfect", pairs: pairs, games: LongTests.count(1_000, long: 10_000))
        #expect(abs(mean / expected - 1) < (LongTests.areOn ? 0.003 : 0.012), "\(mean) turns, not \(expected)")
    }

    @Test("alone, a better memory needs fewer turns")
    func forgetful() throws {
        let means = try Memory.Computer.levels.map { try meanTurns(level: $0, pairs: 8, games: 100) }
        #expect(means[0] > 1.2 * means[1] && means[1] > 1.1 * means[2], "\(means)")
    }

    @Test(
        "against one another, a level beats the one below it",
        arguments: zip(["medium", "perfect"], ["easy", "medium"]))
    func strength(strong: String, weak: String) throws {
        var won = (strong: 0, weak: 0)
        for number in 0..<100 {
            var table = ComputerTable(
                setup: try setup(["preset": "classic"], players: 2), levels: [strong, weak], number: number)
            let scores = try table.play()
            if scores[0] > scores[1] { won.strong += 1 }
            if scores[1] > scores[0] { won.weak += 1 }
        }
        #expect(won.strong > 2 * won.weak, "\(won)")
    }

    @Test("it plays any game by the rules to its end", arguments: Memory.Computer.levels)
    func anyGame(level: String) throws {
        for number in 0..<30 {
            let options: Fields = [
                "preset": .string(Memory.Preset.allCases[number % 6].rawValue),
                "turnRule": number.isMultiple(of: 2) ? "again" : "alternate",
            ]
            let levels = Array(repeating: level, count: 1 + number % 4)
            var table = ComputerTable(
                setup: try setup(options, players: levels.count), levels: levels, number: number,
                shuffles: number.isMultiple(of: 3))
            _ = try table.play()
            #expect(table.game.outcome?.reason == .finished, "game \(number)")
        }
    }

    @Test("a perfect memory knows where moved cards are")
    func followsShuffles() throws {
        var table = ComputerTable(setup: try setup(["pairs": 3], players: 1), levels: ["perfect"], number: 1)
        let cells = table.game.deck.indices.sorted { table.game.deck[$0] < table.game.deck[$1] }
        // Both cards of two pairs are seen, as four single cards of failed attempts. Then all cards are moved.
        try table.flip(cells[0])
        try table.flip(cells[2])
        try table.flip(cells[1])
        try table.flip(cells[3])
        try table.shuffle()
        let scores = try table.play()
        #expect(scores == [3] && table.game.players[0].turns == 2 + 3)
    }

    @Test("it does nothing while the game waits for another")
    func waits() throws {
        var game = PublicGame<Memory>(
            setup: try setup([:], players: 2), players: [Seat(0), Seat(3)], first: Seat(3), at: 0)
        game.apply(.turn(seat: Seat(3), deadline: nil), at: 0)
        var computers = [0, 3].map { Memory.Computer(level: "easy", seat: Seat($0), seed: SHA256.digest(of: "x")) }
        #expect(computers[0].move(in: game, hand: nil, isStopped: { false }) == nil)
        #expect(computers[1].move(in: game, hand: nil, isStopped: { false }) != nil)
    }

    @Test("the same seed and the same game give the same moves")
    func repeats() throws {
        func events() throws -> [Memory.Event] {
            var table = ComputerTable(setup: try setup([:], players: 2), levels: ["easy", "medium"], number: 7)
            _ = try table.play()
            return table.events
        }
        #expect(try events() == events())
    }

    private func meanTurns(level: String, pairs: Int, games: Int) throws -> Double {
        let setup = try setup(["pairs": .integer(pairs)], players: 1)
        try #require(setup.board.pairs == pairs)
        var turns = 0
        for number in 0..<games {
            var table = ComputerTable(setup: setup, levels: [level], number: number)
            _ = try table.play()
            turns += table.game.players[0].turns
        }
        return Double(turns) / Double(games)
    }

    private func setup(_ options: Fields, players: Int) throws -> Memory.Setup {
        try ComputerTable.setup(options, players: players)
    }
}

/// A game that computers play among themselves, as in a room but without the log.
struct ComputerTable {
    /// No game here comes near it.
    private static let mostMoves = 20_000

    private(set) var game: Memory
    private var shown: PublicGame<Memory>
    private var computers: [Memory.Computer]
    private(set) var events: [Memory.Event] = []
    private var now: Milliseconds = 0
    private let shuffles: Bool

    static func setup(_ options: Fields, players: Int) throws -> Memory.Setup {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let seed = SHA256.digest(of: "drawn")
        return try Memory.setup(options, players: players, draw: &draw).dealt(from: seed)
    }

    init(setup: Memory.Setup, levels: [String], number: Int, shuffles: Bool = false) {
        let seats = levels.indices.map { Seat($0) }
        let first = seats[number % seats.count]
        game = Memory(
            setup: setup, players: seats, first: first, seed: SHA256.digest(of: "computers \(number)"), at: 0)
        shown = PublicGame(setup: setup, players: seats, first: first, at: 0)
        computers = zip(levels, seats).map { level, seat in
            Memory.Computer(level: level, seat: seat, seed: SHA256.digest(of: "\(number) \(seat)"))
        }
        self.shuffles = shuffles
        record(game.opening(at: 0))
    }

    /// The scores at the end.
    mutating func play() throws -> [Int] {
        for move in 0..<Self.mostMoves {
            if game.isOver { break }
            guard let seat = game.awaited.first else {
                wait()
                continue
            }
            if shuffles, move.isMultiple(of: 10), game.firstUp == nil, !game.players[game.current].hasShuffled {
                try shuffle()
            }
            let command = computers[seat.rawValue].move(in: shown, hand: nil, isStopped: { false })
            record(try game.decide(try #require(command), by: seat, at: now))
        }
        return game.scores
    }

    mutating func flip(_ cell: Int) throws {
        record(try game.decide(.flip(cell: cell), by: game.players[game.current].seat, at: now))
        if game.awaited.isEmpty { wait() }
    }

    mutating func shuffle() throws {
        record(try game.decide(.shuffle, by: game.players[game.current].seat, at: now))
    }

    private mutating func wait() {
        now = max(now, game.deadline ?? now)
        record(game.wake(at: now))
    }

    private mutating func record(_ happened: [Memory.Event]) {
        for event in happened {
            game.apply(event, at: now)
            shown.apply(event, at: now)
            for index in computers.indices { computers[index].see(event, in: shown) }
        }
        events += happened
    }
}
