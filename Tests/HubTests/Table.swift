import Cryptography
import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// Two seated players and a spectator at a running game: of 2 x 3 cards, if not told otherwise.
struct Table {
    let hub: ScriptedHub
    let code: String
    let ann: ScriptedPlayer
    let ben: ScriptedPlayer
    var annPage: ScriptedClient
    var benPage: ScriptedClient
    let watcher: ScriptedClient

    init(
        seed: UInt64 = 1, _ options: Fields = ["columns": .integer(2), "rows": .integer(3), "theme": "numbers"],
        game: String = "memory", limits: HubLimits = HubLimits(), at hub: ScriptedHub? = nil
    ) {
        let hub = hub ?? ScriptedHub(seed: seed, limits: limits)
        self.hub = hub
        ann = hub.player("Ann")
        ben = hub.player("Ben")
        code = hub.open(ann, options, game: game)
        annPage = hub.join(code, ann)
        benPage = hub.join(code, ben)
        watcher = hub.join(code)
        annPage.command("sit")
        benPage.command("sit")
        annPage.command("start")
    }

    var pages: [ScriptedClient] { [annPage, benPage, watcher] }
    var state: RoomState { hub.room(code) }
    /// The page of the player whose turn it is.
    var mover: ScriptedClient { state.mover == Seat(0) ? annPage : benPage }

    /// Faces by cell.
    var deck: [String] { state.deck }

    /// Everyone leaves, until the room sleeps.
    func sleep() {
        for page in pages { page.leave() }
        hub.pass(120_000)
        #expect(hub.shard.rooms.all.isEmpty)
    }

    /// Another game, which both want.
    func playAgain() {
        annPage.command("propose", ["what": "rematch"])
        benPage.answer(true)
    }

    /// Plays to the end: every card in the order of its face.
    func playOut() {
        let deck = deck
        for face in Set(deck).sorted() {
            for cell in deck.indices where deck[cell] == face { mover.command("flip", ["cell": .integer(cell)]) }
        }
    }
}

extension HubLimits {
    /// For a player who does in a moment what takes others an hour.
    static let forManyCommands = with { $0.commandsPerSecond = 10_000 }

    /// The default limits, changed.
    static func with(_ change: (inout HubLimits) -> Void) -> HubLimits {
        var limits = HubLimits()
        change(&limits)
        return limits
    }
}

extension RoomState {
    /// The seat whose turn it is, also while two cards of Memory are up.
    var mover: Seat? { gameView?["mover"]?.integer.map { Seat($0) } ?? awaited.first }

    /// The seed from which the newest game was dealt.
    var seedOfNewestGame: Digest? { gameSeed(lastStart?.players.nonces ?? [:]) }

    /// Faces by cell, from the hub's own knowledge of the deck.
    var deck: [String] {
        guard let seed = seedOfNewestGame, let start = lastStart,
            let game = kind?.started(
                options: start.options, fields: start.gameFields, players: start.players.map(\.seat),
                first: start.first, seed: seed, at: 0) as? Memory
        else { return [] }
        return game.faces
    }
}

extension Memory {
    /// The face of each cell, found by turning them all.
    var faces: [String] {
        view["cells"]?.list?.indices.compactMap { cell in
            let events = try? decide("flip", ["cell": .integer(cell)], by: Seat(view["mover"]?.integer ?? 0), at: 0)
            return events?.first?.fields["face"]?.string
        } ?? []
    }
}
