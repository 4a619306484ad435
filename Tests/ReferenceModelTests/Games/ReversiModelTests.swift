import Testing

@testable import ReferenceModel

@Suite("The model of Reversi") struct ReversiModelTests {
    /// Ways to go on for so many plies; a pass is none, and comes with the move before it.
    private func leaves(_ game: ReversiModel, plies: Int) -> Int {
        if plies == 0 { return 1 }
        return game.legalMoves(of: game.duel.current).reduce(0) { sum, cell in
            var next = Scripted(game)
            next.say(.place(cell: cell))
            return sum + leaves(next.game, plies: plies - 1)
        }
    }

    @Test("leaves after n plies", arguments: zip(1...5, [4, 12, 56, 244, 1_396]))
    func perft(plies: Int, count: Int) throws { #expect(leaves(try Started().reversi(), plies: plies) == count) }

    private func play(_ moves: String, _ play: inout Scripted<ReversiModel>) -> [GameEvent] {
        let places = Array(moves.utf8)
        var events: [GameEvent] = []
        for index in stride(from: 0, to: places.count, by: 2) {
            let cell = Int(places[index]) - 97 + 8 * (Int(places[index + 1]) - 49)
            events = play.say(.place(cell: cell))
        }
        return events
    }

    @Test("the shortest game takes all discs, and the empty cells count to the winner")
    func shortest() throws {
        var game = Scripted(try Started(first: 1).reversi())
        let events = play("e6f4e3f6g5d6e7f5c5", &game)
        #expect(events.types == ["place-disc", "game-ended"] && events.reason == "finished")
        #expect(events.results.map(\.score) == [0, 13])
        #expect(events.results.map(\.tournament) == [0, 64])
        #expect(events.results.map(\.place) == [2, 1])
        #expect(game.game.view["moves"] == "e6f4e3f6g5d6e7f5c5" && game.game.view["legal"] == [])
    }

    @Test("what is refused")
    func refusals() throws {
        let play = Scripted(try Started().reversi())
        #expect(play.refusal(of: .place(cell: 19), by: 1) == "not-your-turn")
        #expect(play.refusal(of: .place(cell: 64)) == "no-such-cell")
        #expect(play.refusal(of: .place(cell: -1)) == "no-such-cell")
        #expect(play.refusal(of: .place(cell: 28)) == "cell-is-taken")
        #expect(play.refusal(of: .place(cell: 0)) == "flips-nothing")
        #expect(play.refusal(of: .place(cell: 19)) == nil)
    }

    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let types: [String]
        let reason: String
    }

    @Test(
        "who loses before the end, whatever the discs say",
        arguments: [
            Loss(testDescription: "left", types: ["player-left", "game-ended"], reason: "resigned"),
            Loss(testDescription: "resigned", types: ["resigned", "game-ended"], reason: "resigned"),
            Loss(testDescription: "time", types: ["turn-expired", "game-ended"], reason: "time"),
        ])
    func losses(row: Loss) throws {
        var game = Scripted(try Started().reversi())
        _ = play("d3c3", &game)
        // It is seat 0's turn again, and both have three discs: then one more, and 1 is to move.
        _ = play("c4", &game)
        let events =
            switch row.testDescription {
            case "left": game.leave(1)
            case "resigned": game.say(.resign, by: 1)
            default: game.wait()
            }
        #expect(events.types == row.types && events.reason == row.reason)
        #expect(events.results.map(\.place) == [1, 2])
        #expect(events.results.map(\.score) == [5, 2] && events.results.map(\.tournament) == [62, 2])
        #expect(events.results.map(\.hasLeft) == [false, row.testDescription == "left"])
        #expect(game.game.view["lost"] == ["seat": 1, "reason": .text(row.testDescription)])
        #expect(game.game.view["deadline"] == nil)
    }

    @Test("nobody's empty cells count half to each")
    func even() throws {
        let game = try Started().reversi()
        let results = [game.ending(reason: "closed", at: 0, gone: [])].results
        #expect(results.map(\.tournament) == [32, 32] && results.map(\.place) == [1, 1])
    }

    /// The best that who is to move can do, in discs, if both play on to the end; empty cells count to the winner.
    private func best(_ game: ReversiModel) -> Int {
        let (own, other) = (game.duel.current, 1 - game.duel.current)
        let moves = game.legalMoves(of: own)
        if moves.isEmpty {
            guard game.legalMoves(of: other).isEmpty else { return -best(passed(game)) }
            let difference = game.count(of: own) - game.count(of: other)
            let empty = 64 - game.count(of: own) - game.count(of: other)
            return difference + difference.signum() * empty
        }
        return moves.map { -best(placing($0, game)) }.max() ?? 0
    }

    private func passed(_ game: ReversiModel) -> ReversiModel {
        var next = game
        next.duel.current = 1 - game.duel.current
        return next
    }

    private func placing(_ cell: Int, _ game: ReversiModel) -> ReversiModel {
        var next = game
        let own = game.duel.current
        next.apply(.placeDisc(cell: cell, seat: own, flips: game.flips(at: cell, by: own)), at: 0)
        return next
    }

    // From the FFO endgame positions: number 20, each move with its exact result.
    @Test(
        "an end position is worth what it is known to be", arguments: [("h5", 6), ("g6", -2), ("f6", -4), ("h6", -10)])
    func endPosition(move: String, result: Int) throws {
        var game = try Started().reversi()
        let discs = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO-"
        game.cells = discs.utf8.map { $0 == UInt8(ascii: "X") ? 0 : $0 == UInt8(ascii: "O") ? 1 : -1 }
        let places = Array(move.utf8)
        let cell = Int(places[0]) - 97 + 8 * (Int(places[1]) - 49)
        #expect(game.legalMoves(of: 0).contains(cell) && game.legalMoves(of: 0).count == 4)
        #expect(-best(placing(cell, game)) == result)
    }

    @Test("who cannot move passes")
    func passes() throws {
        var game = try Started().reversi()
        // a1 of seat 0, b1 of seat 1, and h1 of 1 with g1 of 0: by c1 and f1 nothing is left to 1 but f1.
        game.cells = [Int8](repeating: -1, count: 64)
        for (cell, index) in [(0, 0), (1, 1), (56, 0), (57, 1)] { game.cells[cell] = Int8(index) }
        var play = Scripted(game)
        #expect(play.say(.place(cell: 2)).types == ["place-disc", "pass", "turn"])
        #expect(play.game.turn == 0)
        #expect(play.say(.place(cell: 58)).types == ["place-disc", "game-ended"])
    }
}
