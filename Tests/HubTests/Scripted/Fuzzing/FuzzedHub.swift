import EventStore
import Games
import JSON

@testable import Hub
@testable import RoomRules

/// A hub that is started for one input, on a log that is written once for all inputs.
struct FuzzedHub {
    let hub: ScriptedHub
    let players: [ScriptedPlayer]
    /// The code of its room.
    let code: String

    /// A log with three players, and a room of the first.
    final class Log: Sendable {
        let storage: InMemoryStorage
        let players: [(name: String, id: PlayerID)]
        let code: String

        /// `isPlayed`: the first two sit, and the game has begun.
        init(game: String, _ options: Fields, isPlayed: Bool) {
            let hub = ScriptedHub()
            let players = ["Ann", "Ben", "Cid"].map { hub.player($0) }
            code = hub.open(players[0], options, game: game)
            if isPlayed {
                let pages = players[..<2].map { [code] in hub.join(code, $0) }
                for page in pages { page.command("sit") }
                pages[0].command("start")
            }
            storage = InMemoryStorage(copying: hub.storage)
            self.players = players.map { ($0.name, $0.id) }
            hub.stop()
        }
    }

    init(_ log: Log) {
        hub = ScriptedHub(storage: InMemoryStorage(copying: log.storage))
        players = log.players.map { [hub] in hub.knownPlayer($0.name, id: $0.id) }
        code = log.code
    }

    /// For each game, and for options that exercise many rules.
    static let logs: [Log] = [false, true].flatMap { isPlayed in
        [
            Log(game: "memory", ["columns": 2, "rows": 3, "theme": "numbers"], isPlayed: isPlayed),
            Log(
                game: "memory", ["columns": 2, "rows": 3, "theme": "numbers", "rule": "memorize", "turnTime": 5],
                isPlayed: isPlayed),
            Log(
                game: "memory", ["columns": 3, "rows": 4, "theme": "numbers", "rule": "hard", "turnTime": 3_600],
                isPlayed: isPlayed),
            Log(game: "reversi", [:], isPlayed: isPlayed),
            Log(game: "connect-four", ["turnTime": 5], isPlayed: isPlayed),
            Log(game: "connect-four", ["turnTime": 604_800], isPlayed: isPlayed),
        ]
    }
}
