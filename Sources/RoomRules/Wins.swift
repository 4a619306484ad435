import Games
import JSON

/// How many games of a series each player has won, as a fold of `game-ended`. A long pause starts a new series.
struct Wins: Equatable, Sendable {
    /// A game that ends longer than this after the one before starts a new series.
    static let pause: Milliseconds = 12 * 3_600_000
    /// Most players that are counted. Past it, only those of the newest game are kept.
    static let limit = 100

    private(set) var counts: [PlayerID: Int] = [:]
    /// When this series is over, unless a game ends before.
    private(set) var until: Milliseconds = 0

    init() {}

    mutating func countWin(of end: GameEnded, at time: Milliseconds) {
        if time > until { counts = [:] }
        until = time &+ Self.pause
        guard let winner = end.winner else { return }
        counts[winner, default: 0] += 1
        guard counts.count > Self.limit else { return }
        let players = Set(end.results.map(\.player))
        counts = counts.filter { players.contains($0.key) }
    }

    /// The room's `wins` and `winsUntil` in `welcome`; empty while no one has won.
    var fields: Fields {
        guard !counts.isEmpty else { return [:] }
        let wins = counts.sorted { $0.key < $1.key }.map { ($0.key, Value.integer($0.value)) }
        return ["wins": .object(Fields(wins)), "winsUntil": .integer(until)]
    }

    /// Reads those fields, among others; nil if they do not fit.
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
    /// The only player in first place among several, who did not leave early; nil if there is none.
    fileprivate var winner: PlayerID? {
        let best = results.filter { $0.place == 1 }
        guard !reason.isUndecided, results.count > 1, best.count == 1, !best[0].result.isLeftEarly else { return nil }
        return best[0].player
    }
}
