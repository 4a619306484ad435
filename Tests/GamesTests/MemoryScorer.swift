import JSON

@testable import Games

/// Keeps the score of a game of Memory from what everyone sees and from the written rules. It uses nothing of the
/// game's code.
struct MemoryScorer {
    let rule: String
    private(set) var scores: [Int: Int]
    private(set) var pairs: [Int: Int] = [:]
    /// Attempts. One is taken back if its player leaves in the middle of it.
    private(set) var turns: [Int: Int] = [:]
    /// Cells whose cards have been up and were turned down again.
    private var seen: Set<Int> = []
    private var up: [Int] = []
    private var firstAt: Milliseconds = 0
    private var player = 0
    private var isInAttempt = false

    init(rule: String, seats: [Seat]) {
        self.rule = rule
        scores = Dictionary(uniqueKeysWithValues: seats.map { ($0.rawValue, 0) })
    }

    /// The required `scores` and `bonus` of an event; nil if the event has neither.
    struct Figures: Equatable {
        var scores: Fields?
        var bonus: Int?
    }

    /// `isLeaving`: whether `player-left` comes directly after the event.
    mutating func take(_ step: GameStep, at time: Milliseconds, isLeaving: Bool) -> Figures {
        let cells = step.fields["cells"]?.integers ?? []
        switch step.type {
        case "turn":
            player = step.fields["seat"]?.integer ?? -1
            isInAttempt = false
        case "show-card": return show(step.fields["cell"]?.integer ?? -1, at: time)
        case "match":
            let bonus = bonus(at: time) ?? 0
            scores[player, default: 0] += ["pairs": 1, "memorize": 2, "easy": 10][rule] ?? 10 + bonus
            pairs[player, default: 0] += 1
            up = []
            isInAttempt = false
            return Figures(scores: shownScores)
        case "hide-card":
            if cells.count == 2, !isLeaving {
                switch rule {
                case "memorize": scores[player, default: 0] -= cells.filter { seen.contains($0) }.count
                case "hard": scores[player] = max((scores[player] ?? 0) - 5, 0)
                default: break
                }
            }
            seen.formUnion(cells)
            up = []
            return Figures(scores: shownScores)
        case "cards-shuffled":
            let moves = (step.fields["moves"]?.list ?? []).compactMap(\.integers)
            let moved = moves.filter { seen.contains($0[0]) }.map { $0[1] }
            for move in moves { seen.remove(move[0]) }
            seen.formUnion(moved)
        default: break
        }
        return Figures()
    }

    mutating func leave(_ seat: Seat) {
        guard isInAttempt, seat.rawValue == player else { return }
        turns[player, default: 0] -= 1
        isInAttempt = false
    }

    mutating func extend(_ span: Milliseconds) { firstAt += span }

    private mutating func show(_ cell: Int, at time: Milliseconds) -> Figures {
        up.append(cell)
        if up.count == 2 { return Figures(bonus: bonus(at: time)) }
        firstAt = time
        isInAttempt = true
        turns[player, default: 0] += 1
        return Figures()
    }

    /// 5 in the first second, then 4, 3, 2, 1, and 0 from five seconds on.
    private func bonus(at time: Milliseconds) -> Int? {
        ["medium", "hard"].contains(rule) ? max(0, 5 - (time - firstAt) / 1_000) : nil
    }

    private var shownScores: Fields {
        var fields = Fields()
        for (seat, score) in scores.sorted(by: { $0.key < $1.key }) { fields[String(seat)] = .integer(score) }
        return fields
    }
}
