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
    /// In the order in which they were turned up.
    private var up: [(cell: Int, seat: Int, face: String, at: Milliseconds)] = []
    private var player = 0
    private let isRace: Bool
    /// How long two cards that differ stay up.
    private let reveal: Milliseconds
    private var isInAttempt = false

    init(rule: String, isRace: Bool, reveal: Milliseconds, seats: [Seat]) {
        (self.rule, self.isRace, self.reveal) = (rule, isRace, reveal)
        scores = Dictionary(uniqueKeysWithValues: seats.map { ($0.rawValue, 0) })
    }

    /// The required `scores` and `bonus` of an event; nil if the event has neither.
    struct Figures: Equatable {
        var scores: Fields?
        var bonus: Int?
    }

    /// `leaving`: whose `player-left` comes directly after the event; nil if there is none.
    mutating func take(_ step: GameStep, at time: Milliseconds, leaving: Seat?) -> Figures {
        let cells = step.fields["cells"]?.integers ?? []
        switch step.type {
        case "turn":
            player = step.fields["seat"]?.integer ?? -1
            isInAttempt = false
        case "show-card":
            let (cell, face) = (step.fields["cell"]?.integer ?? -1, step.fields["face"]?.string ?? "")
            return show(cell, face: face, by: step.fields["seat"]?.integer ?? -1, at: time)
        case "match":
            let seat = step.fields["seat"]?.integer ?? -1
            let mate = up.first { $0.cell == cells.first }
            let added = mate.flatMap { bonus(since: $0.at, at: time) } ?? 0
            scores[seat, default: 0] += ["pairs": 1, "memorize": 2, "easy": 10][rule] ?? 10 + added
            pairs[seat, default: 0] += 1
            up.removeAll { cells.contains($0.cell) }
            isInAttempt = false
            return Figures(scores: shownScores)
        case "hide-card":
            let seat = up.first { $0.cell == cells.first }?.seat ?? -1
            if cells.count == 2, seat != leaving?.rawValue || isDue(seat, at: time) {
                switch rule {
                case "memorize": scores[seat, default: 0] -= cells.filter { seen.contains($0) }.count
                case "hard": scores[seat] = max((scores[seat] ?? 0) - 5, 0)
                default: break
                }
            }
            seen.formUnion(cells)
            up.removeAll { cells.contains($0.cell) }
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

    /// Whether the cards of a player turn back by themselves, even if the player leaves right after that.
    private func isDue(_ seat: Int, at time: Milliseconds) -> Bool {
        isRace && up.last { $0.seat == seat }.map { time >= $0.at + reveal } ?? false
    }

    mutating func leave(_ seat: Seat) {
        guard isInAttempt, !isRace, seat.rawValue == player else { return }
        turns[player, default: 0] -= 1
        isInAttempt = false
    }

    mutating func extend(_ span: Milliseconds) {
        for index in up.indices { up[index].at += span }
    }

    private mutating func show(_ cell: Int, face: String, by seat: Int, at time: Milliseconds) -> Figures {
        defer { up.append((cell, seat, face, time)) }
        if !up.contains(where: { $0.seat == seat }) {
            isInAttempt = true
            turns[seat, default: 0] += 1
        }
        // In a race the mate may be another player's card.
        let first = isRace ? up.first { $0.face == face } : up.first
        return Figures(bonus: first.flatMap { bonus(since: $0.at, at: time) })
    }

    /// 5 in the first second, then 4, 3, 2, 1, and 0 from five seconds on.
    private func bonus(since first: Milliseconds, at time: Milliseconds) -> Int? {
        ["medium", "hard"].contains(rule) ? max(0, 5 - (time - first) / 1_000) : nil
    }

    private var shownScores: Fields {
        var fields = Fields()
        for (seat, score) in scores.sorted(by: { $0.key < $1.key }) { fields[String(seat)] = .integer(score) }
        return fields
    }
}
