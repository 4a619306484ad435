import ArgumentParser
import Cryptography
import Games
import JSON

struct BenchGames: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "games", abstract: "Measure how many events a second a game applies, and how fast Reversi counts.")

    @Option(help: "How often to fold a recorded game of Memory.")
    var games = 20_000

    @Option(help: "How many plies deep to count positions of Reversi.")
    var plies = 11

    func validate() throws {
        guard (1...10_000_000).contains(games) else { throw ValidationError("--games is a number from 1 to 10000000.") }
        guard (0...13).contains(plies) else { throw ValidationError("--plies is a number from 0 to 13.") }
    }

    func run() throws {
        let record = try playedGame()
        var last = record.game
        let fold = ContinuousClock().measure {
            for _ in 0..<games {
                var game = record.game
                for (event, time) in record.events { game.apply(event, at: time) }
                last = game
            }
        }
        guard last.outcome != nil else { throw CommandLineError("The recorded game did not end.") }
        let count = games * record.events.count
        print("Memory: \(rate(count, fold)) million events a second applied (\(record.events.count) a game)")
        var leaves = 0
        let perft = ContinuousClock().measure { leaves = Reversi.Position.start.leaves(after: plies) }
        print("Reversi: \(rate(leaves, perft)) million leaves a second to \(plies) plies, the last one counted in bulk")
    }

    private func rate(_ count: Int, _ time: Duration) -> String {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        return String(Int(Double(count) / seconds / 1e6))
    }

    /// A recorded game of 48 pairs by a player who remembers some of the cards, with its events.
    private func playedGame() throws -> (game: Memory, events: [(Memory.Event, Milliseconds)]) {
        var draw = RandomWords(seed: SHA256.digest(of: "bench"))
        let seed = SHA256.digest(of: "deck")
        let asked: Fields = ["columns": 8, "rows": 12, "theme": "numbers", "turnTime": 0, "rule": "memorize"]
        let setup = try Memory.setup(asked, players: 2, draw: &draw).dealt(from: seed)
        let seats = [Seat(0), Seat(1)]
        let start = Memory(setup: setup, players: seats, first: seats[0], seed: seed, at: 0)
        var shown = PublicGame<Memory>(setup: setup, players: seats, first: seats[0], at: 0)
        var players = seats.map { Memory.Computer(level: "medium", seat: $0, seed: seed) }
        var (game, time, events) = (start, 0, [(Memory.Event, Milliseconds)]())
        func record(_ happened: [Memory.Event]) {
            for event in happened {
                game.apply(event, at: time)
                shown.apply(event, at: time)
                for index in players.indices { players[index].see(event, in: shown) }
                events.append((event, time))
            }
        }
        record(game.opening(at: time))
        while game.outcome == nil {
            if let seat = game.awaited.first,
                let command = players[seat.rawValue].move(in: shown, hand: nil, isStopped: { false })
            {
                record(try game.decide(command, by: seat, at: time))
            } else if let deadline = game.deadline {
                time = deadline
                record(game.wake(at: time))
            } else {
                throw CommandLineError("The game to measure is stuck: it waits for no player and no deadline.")
            }
        }
        return (start, events)
    }
}
