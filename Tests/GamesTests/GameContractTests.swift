import JSON
import Testing

@testable import Games

/// Every game of the list, with the options that it has by its own word and those that the page's form can ask for.
@Suite("The contract of a game") struct GameContractTests {
    /// Options that belong together.
    static let options: [String: [Fields]] = [
        "memory": [
            ["columns": 2, "rows": 3], ["pairs": 4, "rule": "hard", "turnTime": 5], ["preset": "easy", "turnTime": 60],
            ["pairs": 5, "rule": "memorize", "turnRule": "alternate", "turnTime": 5, "reveal": 200],
            ["columns": 3, "rows": 3, "rule": "medium", "matched": "vanish", "theme": "pictures"],
            ["columns": 2, "rows": 4, "theme": "random", "turnTime": 0],
        ],
        "dots-and-boxes": [["size": 3, "turnTime": 5], ["size": 4, "seats": 2], ["size": 6, "turnTime": 5]],
        "go-fish": [["seats": 2, "turnTime": 5], ["books": "pairs", "turnTime": 5]],
        "goofspiel": [["cards": 4, "turnTime": 5], ["cards": 5, "seats": 2], ["cards": 7, "turnTime": 5]],
    ]
    /// For every game that has them.
    static let usual: [Fields] = [[:], ["turnTime": 0], ["turnTime": 5]]

    /// A page that cannot say what it offers fails another test.
    private static let offered = (try? Page.options()) ?? [:]

    static func options(of game: any Game.Type) -> [Fields] {
        var search = OptionSearch(game)
        for asked in usual + (options[game.name] ?? []) { search.add(asked) }
        search.addAllValues()
        for asked in offered[game.name] ?? [] { search.addIfNew(asked) }
        return search.sets
    }

    /// The findings for each game of the list, which are played once.
    private static let played = Dictionary(
        uniqueKeysWithValues: GameList.all.map { game in
            (game.name, GameContract.violations(of: game, options: options(of: game)))
        })

    @Test("is kept by each game of the list, and by its page", arguments: GameList.all.map { $0.name })
    func kept(name: String) throws {
        let game = try #require(GameList.all.first { $0.name == name })
        let (violations, log) = try #require(Self.played[name])
        for violation in try violations + Page.violations(of: game, log: log) { Issue.record("\(name): \(violation)") }
    }

    @Test("its random games reach everything that can happen in a game of Memory")
    func everything() throws {
        let log = String(decoding: try #require(Self.played[Memory.name]).log.bytes, as: UTF8.self)
        for type in Memory.eventTypes + ["player-left", "clock-extended", "game-ended"] {
            let hasCome = log.contains("\"type\":\"\(type)\"")
            #expect(hasCome, "no \(type)")
        }
    }

    @Test("is kept by a minimal game")
    func smallest() {
        let (violations, _) = GameContract.violations(of: Pile.self, options: [[:], ["turnTime": 0]])
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "a game that breaks it is rejected, with the sentence that it breaks",
        arguments: [
            (Pile.Fault.startForgetsTurnTime, GameContract.Promise.start), (.viewLeaks, .folds),
            (.eventLosesField, .reading), (.eventTakesAnyKind, .fields), (.eventTakesAnySeat, .order),
            (.eventTakesTurnsAgain, .order), (.eventTakesLate, .late), (.goesOnBehindTheEnd, .late),
            (.decideCounts, .judging), (.copiesShare, .judging), (.legalHoldsTooMany, .taken),
            (.legalMissesOne, .refused), (.legalForEverybody, .turns), (.staysWithWhoLeft, .turns),
            (.awaitsEverybody, .turns), (.awayForEver, .away),
            (.outageForgetsDeadline, .outage), (.outageCounts, .outage), (.wakesEarly, .deadline),
            (.sleepsOn, .deadline), (.resultMissing, .results), (.placesShared, .results), (.neverEnds, .end),
            (.computerGuesses, .computers), (.eventNamesTime, .names), (.figureNamesScore, .results),
            (.nobodyMoves, .begun), (.startsBeforeTurn, .opening), (.sealedIsNotRead, .reading),
            (.turnsTwiceWithoutTime, .order),
            (.viewNamesAwaited, .names),
            (.handOfMoverOnly, .hands), (.handWithoutSeed, .hands), (.handCounts, .hands), (.handMovesInOutage, .hands),
            (.handForAll, .secrets), (.handUnseeded, .secrets), (.startShowsSeed, .secrets),
            (.startShowsHand, .secrets),
            (.turnShowsNext, .secrets),
        ])
    func rejected(fault: Pile.Fault, promise: GameContract.Promise) {
        let asked: Fields = ["fault": .string(fault.rawValue)]
        let (violations, _) = GameContract.violations(
            of: Pile.self, options: [asked, asked.merging(["turnTime": 0])], effort: GameContract.Effort(mostSteps: 300)
        )
        let broken = violations.map(\.promise)
        #expect(broken.contains(promise), "\(fault): \(violations)")
    }

    private static let move = #"move: (cell) => ({ type: "drop", column: cell % COLUMNS })"#
    /// The first press chooses a column, and the second one drops a disc into `column`.
    private static func moveByTwo(_ column: String) -> String {
        #"move: (cell, view, { chosen }) => (chosen === undefined ? null : { type: "drop", column: \#(column) })"#
    }

    @Test("is kept by a page whose moves take two presses")
    func twoPresses() throws {
        let (_, log) = try #require(Self.played[ConnectFour.name])
        let edit = PageEdit("games/connect-four/game.js", Self.move, Self.moveByTwo("chosen % COLUMNS"))
        let violations = try Page.violations(of: ConnectFour.self, log: log.prefix(9), edits: [edit])
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "a page that breaks it is rejected, with the sentence that it breaks",
        arguments: [
            ("reversi", PageEdit("games/room.js", #"!== "clock-extended""#, #"!== "no such event""#), .page),
            ("memory", PageEdit("games/memory/game.js", #"["revealUntil", "bonusFrom"]"#, "[]"), .page),
            ("memory", PageEdit("games/memory/fold.js", #""player-left"("#, #""no such event"("#), .page),
            (
                "reversi",
                PageEdit("games/reversi/fold.js", "const cells = view", "view.awaited = []; const cells = view"),
                .page
            ),
            (
                "reversi", PageEdit("games/reversi/game.js", "view.legal.includes(cell)", "true"),
                .moves
            ),
            ("reversi", PageEdit("games/reversi/game.js", "view.awaited.includes(seat) &&", ""), .moves),
            ("reversi", PageEdit("games/reversi/game.js", #"["1", "2", "#, #"["1", "#), .offers),
            ("memory", PageEdit("games/memory/game.js", "[1, 8]", "[1, 6]"), .offers),
            ("memory", PageEdit("games/memory/options.js", "SEATS = [1, ", "SEATS = [1, 9, "), .offers),
            ("memory", PageEdit("games/memory/fold.js", #"return "memory.card.gap""#, "return undefined"), .words),
            ("reversi", PageEdit("games/reversi/game.js", #""error.flips-nothing""#, #""error.flips-none""#), .words),
            (
                "reversi",
                PageEdit("games/reversi/game.js", #"turnText: () => "now.move""#, #"turnText: () => "move""#), .words
            ),
            ("dots-and-boxes", PageEdit("games/dots-and-boxes/game.js", #"`dots-and-boxes.${["#, "`boxes.${["), .words),
            ("reversi", PageEdit("games/reversi/game.js", #"turnText: () => "now.move","#, ""), .page),
            ("connect-four", PageEdit("games/connect-four/game.js", Self.move, "move: () => null"), .moves),
            ("connect-four", PageEdit("games/connect-four/game.js", Self.move, Self.moveByTwo("0")), .moves),
        ] as [(String, PageEdit, GameContract.Promise)])
    func rejected(name: String, edit: PageEdit, promise: GameContract.Promise) throws {
        let game = try #require(GameList.all.first { $0.name == name })
        let (_, log) = try #require(Self.played[name])
        let violations = try Page.violations(of: game, log: log.prefix(9), edits: [edit])
        #expect(violations.contains { $0.promise == promise }, "\(violations)")
    }
}
