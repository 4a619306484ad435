import Cryptography
import JSON

@testable import Games

/// What must hold for any game. Random games are played to their end, by its own `legalCommands`, and each step is
/// checked. A game that is added to `GameList` is covered without further code.
enum GameContract {
    /// A sentence that a game keeps.
    enum Promise: String, CaseIterable {
        case names = "no field has a name that the room uses for its own"
        case start = "the fields of game-started are enough to make the game again"
        case folds = "a fold of what everyone is shown equals the game itself"
        case reading = "an event is read back from the log as it was written"
        case fields = "an event that lacks a field, or has one of another kind, is not read"
        case order = "an event that cannot come now, or not from that seat, is not read"
        case opening = "after game-started only the events of the opening are read, one after the other"
        case late = "nothing is read, accepted or awaited once the game is over"
        case taken = "a legal command is accepted and has events"
        case refused = "a command that is not legal is refused"
        case turns = "every awaited seat still plays and has a legal command, and no other seat has one"
        case away = "a player is marked as back exactly if they were away"
        case computers = "a computer has levels, and the game accepts its commands"
        case judging = "only applied events change the game: no judging, and nothing that is done to a copy"
        case hands = "a hand changes with events only, and while the game runs all players have one or none has"
        case secrets = "nobody can compute a hand from what everyone is shown"
        case outage = "an outage moves the deadline by its length, and changes nothing else"
        case deadline = "something happens at the deadline, and nothing before it"
        case results = "every player has one result, and the results fit together"
        case end = "the game ends"
        case begun = "a game has no moves when it starts, and has some when it is finished"
        case page = "the page's fold equals the game after every event"
        case moves = "the page offers exactly the moves that the game allows"
        case words = "the page has words for everything that it says about the game"
        case offers = "the page offers the seats, levels and options that the game has"

        /// By the name of its case.
        static func named(_ name: String) -> Promise? { allCases.first { "\($0)" == name } }
    }

    /// A promise that a game has broken, and a sentence that says where.
    struct Violation: CustomStringConvertible {
        let promise: Promise
        let detail: String

        var description: String { "broken promise (\(promise.rawValue)): \(detail)" }
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
        found.expect(!game.computerLevels.isEmpty, .computers, "\(game.name) has no levels")
        for number in 0..<max(effort.games, options.count) {
            var words = RandomWords(seed: SHA256.digest(of: "contract \(game.name) \(number)"))
            let asked = options[number % options.count]
            found.place = "game \(number) of \(game.name) with the options \(asked.brief)"
            guard var play = ContractPlay<Played>(asked, number: number, &words, &found) else { continue }
            play.playOut(mostSteps: effort.mostSteps, &found)
            log.append(play.log)
        }
        return (found.violations, log)
    }

    /// The fields of each line of a log, of a game's first one, of each result, and what the room adds to a view. (The
    /// hub checks names of events and commands when it starts.)
    static let lineNames: Set = ["v", "t", "type", "more", "seal"]
    static let startNames: Set = ["v", "t", "type", "more", "seal", "number", "options", "seats", "first"]
    static let resultNames: Set = ["seat", "player", "score", "place", "time", "left", "helped", "bot"]
    static let viewNames: Set = ["awaited"]
}

/// The first violation of each promise.
struct Findings {
    private(set) var violations: [GameContract.Violation] = []
    /// The game that is played, in words.
    var place = ""

    /// Records a violation unless `holds`. Only then is `detail` evaluated: what is wrong there, in a sentence that is
    /// short by itself.
    mutating func expect(_ holds: Bool, _ promise: GameContract.Promise, _ detail: @autoclosure () -> String) {
        guard !holds, !violations.contains(where: { $0.promise == promise }) else { return }
        let place = place.isEmpty ? "" : "In \(place), "
        violations.append(GameContract.Violation(promise: promise, detail: "\(place)\(detail())."))
    }

    /// Records a violation if `names` and `reserved` have a name in common.
    mutating func expect(no reserved: Set<String>, in names: [String], of what: String) {
        let taken = names.filter(reserved.contains)
        expect(taken.isEmpty, .names, "\(what) has the field \(taken.listed())")
    }
}
