import Games
import JSON

/// How many games of a series each player has won: a fold over the ends of games. Starts again after a long pause.
struct Wins: Equatable, Sendable {
    /// So long after the last game's end the next one's is of another series.
    static let pause: Milliseconds = 12 * 3_600_000
    /// Most players that are counted; past it, those who do not play just now are dropped.
    static let limit = 100

    private(set) var counts: [PlayerID: Int] = [:]
    /// When this series is over, if no game ends before.
    private(set) var until: Milliseconds = 0

    init() {}

    mutating func note(_ end: GameEnded, at time: Milliseconds) {
        if time > until { counts = [:] }
        until = time &+ Self.pause
        guard let winner = end.winner else { return }
        counts[winner, default: 0] += 1
        guard counts.count > Self.limit else { return }
        let players = Set(end.results.map(\.player))
        counts = counts.filter { players.contains($0.key) }
    }

    /// The room's `wins` and `winsUntil` in `welcome`; nothing while nobody has won.
    var fields: Fields {
        guard !counts.isEmpty else { return [:] }
        let wins = counts.sorted { $0.key < $1.key }.map { ($0.key, Value.integer($0.value)) }
        return ["wins": .object(Fields(wins)), "winsUntil": .integer(until)]
    }

    /// From those fields, among others; nil if they do not fit.
    init?(_ fields: Fields) {
        guard let wins = fields["wins"] else { return }
        guard let counts = wins.object, let until = fields["winsUntil"]?.integer else { return nil }
        for (player, count) in counts.elements {
            guard let count = count.integer else { return nil }
            self.counts[player] = count
        }
        self.until = until
    }
}

extension GameEnded {
    /// Who alone has won over others, and was there to the end.
    fileprivate var winner: PlayerID? {
        let best = results.filter { $0.place == 1 }
        guard !reason.isUndecided, results.count > 1, best.count == 1, !best[0].result.isLeftEarly else { return nil }
        return best[0].player
    }
}
