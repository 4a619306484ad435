import EventStore
import Games
import JSON
import Testing

@testable import Hub

/// A room with its host at its home, another player and a spectator on two other nodes: 2 x 3 cards, dealt.
struct SpreadTable {
    let cluster: ScriptedCluster
    let code: String
    let home: ScriptedHub
    let ann: ScriptedPlayer
    let ben: ScriptedPlayer
    private(set) var annPage: ScriptedClient
    private(set) var benPage: ScriptedClient
    private(set) var watcher: ScriptedClient
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

    /// Returns the answer to a command.
    @discardableResult
    func ask(_ page: ScriptedClient, _ type: String, _ fields: Fields = [:]) -> Fields? {
        let id = "\(type)-\(page.messages.count)"
        page.command(type, fields, id: id)
        return page.messages.last { $0["id"] == .string(id) }
    }

    /// Turns each card in the order of its face, from here to the end of the game.
    func playOut() {
        let deck = cluster.home(of: code).room(code).deck
        let shown = Set(
            annPage.all.flatMap(\.events).filter { $0["type"] == "show-card" }.compactMap { $0["cell"]?.integer })
        // Open cards first.
        let open = Set(shown.map { deck[$0] })
        for face in Set(deck).sorted(by: { (open.contains($0) ? 0 : 1, $0) < (open.contains($1) ? 0 : 1, $1) }) {
            for cell in deck.indices where deck[cell] == face && !shown.contains(cell) {
                #expect(ask(mover, "flip", ["cell": .integer(cell)])?["type"] == "ok")
            }
        }
    }

    /// All of them saw each event once, and in order, over all connections that each has had.
    func expectSame(_ pages: [ScriptedClient]) {
        let log = cluster.home(of: code).storage.records(of: .room(code)).map(\.event.shown)
        for page in pages {
            #expect(page.all.flatMap(\.versions) == Array(2...log.count))
            #expect(page.all.flatMap(\.events).map { JSONWriter.bytes($0) } == Array(log.dropFirst()))
            #expect(page.closed == nil)
            let living = cluster.living.map { ObjectIdentifier($0) }
            for gone in page.all.dropLast() where living.contains(ObjectIdentifier(gone.hub)) {
                #expect(gone.closed == .serviceRestart)
            }
        }
    }

    /// Members whose connections were closed because the room has moved come back, to the same node or, if that is
    /// dead, to the home.
    mutating func comeBack() {
        annPage = back(annPage, ann)
        benPage = back(benPage, ben)
        watcher = back(watcher, nil)
    }

    private func back(_ page: ScriptedClient, _ player: ScriptedPlayer?) -> ScriptedClient {
        let isAlive = cluster.living.contains { $0 === page.hub }
        guard !isAlive || page.closed == .serviceRestart else { return page }
        if !isAlive { page.forget() }
        return page.comeBack(to: isAlive ? page.hub : cluster.home(of: code), code, as: player)
    }

    /// The page of the player whose turn it is.
    var mover: ScriptedClient { cluster.home(of: code).room(code).mover == Seat(0) ? annPage : benPage }
}
