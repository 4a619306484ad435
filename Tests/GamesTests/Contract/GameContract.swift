import Cryptography
import JSON

@testable import Games

/// What must hold for any game. Random games are played to their end, by its own `legalCommands`, and each step is
/// checked. A game that is added to `GameList` is covered without further code.
enum GameContract {
    /// A sentence that a game keeps.
    enum Promise: String, CaseIterable {
        case names = "no field of the game's bears a name of the room's own"
        case start = "what game-started shows makes the game again"
        case folds = "the fold of what is shown equals the game itself"
        case reading = "an event is read back from the log as it was written"
        case fields = "an event with a field missing, or of another kind, is not read"
        case order = "an event that cannot come now, or from that seat, is not read"
        case late = "nothing is read once the game is over"
        case taken = "a legal command is taken, and leads to something"
        case refused = "a move that is not legal is refused"
        case turns = "a seat that is awaited plays and has a legal command, and no other seat has one"
        case away = "who is marked away is back by doing anything, and nobody else"
        case computers = "a computer's command is taken"
        case judging = "judging changes nothing, nor does what happens to a copy"
        case outage = "an outage moves the deadline by its span, and nothing else that is judged"
        case deadline = "something happens at the deadline, and not before"
        case results = "results are one for each who plays, and add up"
        case end = "the game ends"
        case begun = "somebody has moved at its end, and nobody when it starts"
        case page = "the page's fold equals the game at every version"
        case moves = "the page lets a player do what the game allows"
        case offers = "what the page offers for a room, the game has"

        /// By the name of its case.
        static func named(_ name: String) -> Promise? { allCases.first { "\($0)" == name } }
    }

    /// A promise that a game has broken, and where.
    struct Violation: CustomStringConvertible {
        let promise: Promise
        let detail: String

        var description: String { "not so: \(promise.rawValue): \(detail)" }
    }

    /// The number of games, and how long one may be.
    struct Effort {
        var games = LongTests.count(24, long: 300)
        var mostSteps = 4_000
    }

    /// The promises that `game` breaks, each once, in games with each of `options` in turn; and the log of those games,
    /// for the page's fold.
    static func violations<Played: Game>(
        of game: Played.Type, options: [Fields] = [[:]], effort: Effort = Effort()
    ) -> (violations: [Violation], log: PageLog) {
        var found = Findings()
        var log = PageLog()
        found.expect(!game.computerLevels.isEmpty, .computers, "\(game.name) has no level")
        for number in 0..<effort.games {
            var words = RandomWords(seed: SHA256.digest(of: "contract \(game.name) \(number)"))
            let asked = options[number % options.count]
            guard var play = ContractPlay<Played>(asked, number: number, &words, &found) else { continue }
            play.playOut(mostSteps: effort.mostSteps, &found)
            log.append(play.log)
        }
        return (found.violations, log)
    }

    /// The fields of each line of a log, of a game's first one, and of each result. (The hub checks names of events and
    /// commands when it starts.)
    static let lineNames: Set = ["v", "t", "type", "more"]
    static let startNames: Set = ["v", "t", "type", "more", "number", "options", "seats", "first"]
    static let resultNames: Set = ["seat", "player", "score", "place", "time", "left", "helped", "bot"]
}

/// The first violation of each promise.
struct Findings {
    private(set) var violations: [GameContract.Violation] = []

    /// Notes a violation unless `holds`. Only then is `detail` evaluated.
    mutating func expect(_ holds: Bool, _ promise: GameContract.Promise, _ detail: @autoclosure () -> String) {
        guard !holds, !violations.contains(where: { $0.promise == promise }) else { return }
        violations.append(GameContract.Violation(promise: promise, detail: String(detail().prefix(600))))
    }
}
