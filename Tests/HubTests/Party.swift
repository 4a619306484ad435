import EventStore
import Games
import JSON
import Records

@testable import Hub
@testable import RoomRules

/// People and computers at a running game of Memory, and a spectator.
struct Party {
    let hub = ScriptedHub()
    let code: String
    let players: [ScriptedPlayer]
    let watcher: ScriptedClient
    private let pages: [String: ScriptedClient]

    init(_ names: [String], computers: Int = 0, _ options: Fields = [:], endsGame: Bool = false) {
        players = names.map { [hub] in hub.player($0) }
        code = hub.open(players[0], (["columns": 2, "rows": 3, "theme": "numbers"] as Fields).merging(options))
        let joined = players.map { [hub, code] in hub.join(code, $0) }
        pages = Dictionary(uniqueKeysWithValues: zip(names, joined))
        watcher = hub.join(code)
        for page in joined { page.command("sit") }
        for seat in 0..<computers {
            joined[0].command("bot", ["seat": .integer(names.count + seat), "level": "easy"])
        }
        joined[0].command("start")
        if endsGame { playOut() }
    }

    subscript(name: String) -> ScriptedClient { pages[name] ?? watcher }
    var state: RoomState { hub.room(code) }
    var records: [Record] { hub.storage.records(of: .room(code)) }
    var types: [String] { records.map(\.event.type) }
    /// As a new member gets it.
    var proposal: Fields? { hub.join(code).last("welcome")?["room"]?.object?["proposal"]?.object }

    /// People turn cards, and time passes for computers, until the game is over.
    private func playOut() {
        for step in 0..<2_000 where state.phase == .running {
            for player in players {
                guard let page = pages[player.name] else { continue }
                page.command("flip", ["cell": .integer(step * 5 % 6)])
                page.command("flip", ["cell": .integer((step * 5 + 1 + step / 6) % 6)])
            }
            hub.pass(1_000)
        }
    }
}

extension ScriptedClient {
    @discardableResult
    func propose(_ what: String) -> Fields? { command("propose", ["what": .string(what)]) }
    /// Answers the last proposal that this page has seen.
    @discardableResult
    func answer(_ agrees: Bool) -> Fields? {
        let proposed = last("proposed")?["v"] ?? last("welcome")?["room"]?.object?["proposal"]?.object?["v"] ?? 0
        return command("answer", ["agrees": .bool(agrees), "to": proposed])
    }
}
