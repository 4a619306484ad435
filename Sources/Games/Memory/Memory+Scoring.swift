extension Memory {
    /// How cards are scored.
    enum Rule: String, CaseIterable, Sendable {
        /// A pair is worth 1.
        case pairs
        /// A pair is worth 2. Of two cards that differ, each one that had been seen before costs 1.
        case memorize
        /// A pair is worth 10.
        case easy
        /// A pair is worth 10 plus the bonus.
        case medium
        /// As `medium`; two cards that differ cost 5, but no score falls below 0.
        case hard

        /// Whether a pair is worth more the sooner its second card is shown.
        var hasBonus: Bool { self == .medium || self == .hard }

        /// What a pair adds; `bonus` is 0 by rules that have none.
        func match(bonus: Int) -> Int {
            switch self {
            case .pairs: 1
            case .memorize: 2
            case .easy, .medium, .hard: 10 + bonus
            }
        }

        /// The new score after two cards that differ, of which `seenCards` had been seen before.
        func score(_ score: Int, afterMismatchWith seenCards: Int) -> Int {
            switch self {
            case .pairs, .easy, .medium: score
            case .memorize: score - seenCards
            case .hard: max(0, score - 5)
            }
        }
    }

    /// Starts when the first card of an attempt is shown.
    static let bonusSpan: Milliseconds = 5_000
    static let mostBonus = 5

    /// The whole seconds left of the bonus, rounded up: 5 until a second has passed, 0 from 5 s on. Nil while no first
    /// card is up, and by rules without a bonus.
    func bonus(at now: Milliseconds) -> Int? {
        bonusFrom.map { Memory.bonus(from: $0, at: now) }
    }

    static func bonus(from start: Milliseconds, at now: Milliseconds) -> Int {
        let left = bonusSpan - (now - start)
        return min(max(0, (left + 999) / 1_000), mostBonus)
    }

    /// All scores once the player with this index has won a pair.
    func scoresAfterMatch(by index: Int, bonus: Int) -> [Int] {
        var scores = scores
        scores[index] += setup.rule.match(bonus: bonus)
        return scores
    }

    /// All scores once the two cards that this player has up have turned back. Cards only become seen when they turn
    /// back, so a seen card among these two was seen before this turn.
    func scoresAfterMismatch(_ first: Int, _ second: Int, by index: Int) -> [Int] {
        var scores = scores
        let seenCards = [first, second].count { cards[$0].isSeen }
        scores[index] = setup.rule.score(scores[index], afterMismatchWith: seenCards)
        return scores
    }
}
