import EventStore
import Games
import Testing

@testable import Hub

/// A room with its host at its home, another player and a spectator on two other nodes: 2 x 3 cards, dealt.
struct SpreadTable {
    let cluster: ScriptedCluster
    let code: String
    let home: ScriptedHub
    let ann: ScriptedPlayer
    let ben: ScriptedPlayer
    let annPage: ScriptedClient
    let benPage: ScriptedClient
    let watcher: ScriptedClient
    var pages: [ScriptedClient] { [annPage, benPage, watcher] }

    init(seed: UInt64 = 1, isDealt: Bool = true, in cluster: ScriptedCluster? = nil) {
        self.cluster = cluster ?? ScriptedCluster(seed: seed)
        let cluster = self.cluster
        ann = cluster.nodes[0].player("Ann")
        ben = cluster.nodes[1].player("Ben")
        code = cluster.nodes[0].open(ann, ["columns": .integer(2), "rows": .integer(3), "theme": "numbers"])
        let nodes = cluster.nodes(of: code)
        home = nodes[0]
        annPage = nodes[0].join(code, ann)
        benPage = nodes[1].join(code, ben)
        watcher = nodes[2].join(code)
        guard isDealt else { return }
        ask(annPage, "sit")
        ask(benPage, "sit")
        ask(annPage, "start")
    }

    /// What a command is answered.
    @discardableResult
    func ask(_ page: ScriptedClient, _ type: String, _ fields: Fields = [:]) -> Fields? {
        let id = "\(type)-\(page.messages.count)"
        page.command(type, fields, id: id)
        return page.messages.last { $0["id"] == .string(id) }
    }

    /// Each card in the order of its face, from here to the end of the game.
    func playOut() {
        let deck = cluster.home(of: code).room(code).deck
        let shown = Set(annPage.events.filter { $0["type"] == "show-card" }.compactMap { $0["cell"]?.integer })
        // What lies open first.
        let open = Set(shown.map { deck[$0] })
        for face in Set(deck).sorted(by: { (open.contains($0) ? 0 : 1, $0) < (open.contains($1) ? 0 : 1, $1) }) {
            for cell in deck.indices where deck[cell] == face && !shown.contains(cell) {
                #expect(ask(mover, "flip", ["cell": .integer(cell)])?["type"] == "ok")
            }
        }
    }

    /// All of them saw each event once, and in order; who was greeted again, from there on.
    func expectSame(_ pages: [ScriptedClient]) {
        let log = cluster.home(of: code).storage.records(of: .room(code)).map(\.event.shown)
        for page in pages {
            #expect(page.versions == Array(2...log.count))
            #expect(page.events.map { JSONWriter.bytes($0) } == Array(log.dropFirst()))
            #expect(page.closed == nil)
        }
    }

    /// The page of whoever is to move.
    var mover: ScriptedClient { cluster.home(of: code).room(code).gameView?["turn"]?.integer == 0 ? annPage : benPage }
}
