import JSON

/// A player's request for unfinished games.
struct GamesRequest: Question {
    private let player: String
    private let askedAt: Int

    /// Most games in one answer.
    private static let limit = 20
    /// How far they may lag behind the log, in ms.
    private static let lag = 1_500

    /// Nil if it is another request, or has no player.
    init?(method: String, target: String, player: String?, context: ModelContext) {
        guard method == "GET", target == "/api/players/me/games", let player else { return nil }
        (self.player, askedAt) = (player, context.now)
    }

    func check(_ status: Int, _ answer: Value?, in check: ListCheck) {
        guard status == 200 else { return }
        let (findings, time) = (check.context.findings, askedAt - Self.lag)
        var shown: Set<String> = []
        for json in answer?["rooms"]?.list ?? [] {
            guard let entry = ListEntry(json, with: ["players"]), let room = check.rooms[entry.code] else {
                return findings.recordBreach("an entry of a list has what the protocol says", "\(check.place): \(json)")
            }
            findings.expect(
                shown.insert(entry.code).inserted, "a list has each room once", "\(check.place): \(entry.code)")
            findings.expect(
                room.listing.number(of: entry.listed) != nil, "a list shows a room as it is, or recently was",
                "\(check.place): \(json), the room is \(room.listing.last.map { "\($0.room)" } ?? "none")")
        }
        for (player, name) in answer?["names"]?.elements ?? [] {
            guard let name = name.string else { continue }
            check.context.accounts.shown(name, of: player, check.place)
        }
        guard check.context.hinderedAt < time else { return }
        let games = check.rooms.values.filter { $0.durable.playersWithGame.contains(player) }
        guard games.count <= Self.limit else { return }
        let wrong = check.rooms.filter { code, room in
            room.listing.playedSince < time && shown.contains(code) != room.durable.playersWithGame.contains(player)
        }
        guard let code = wrong.keys.min() else { return }
        findings.recordBreach(
            "a player's games are those with a seat that was not given up", "\(check.place): \(code) of \(player)")
    }
}
