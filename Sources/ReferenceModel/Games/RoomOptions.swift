/// Options of a room (ProtocolMemory.md): what may be asked for, and what a game makes of it.
enum RoomOptions {
    /// Seconds.
    private static let turnTimes = 5...604_800

    /// How asking for these options is refused; nil: they are taken. A null is an option that is not asked for.
    /// `themes`: names that a hub has; nil: any is taken.
    static func refusal(of asked: JSON, game: String, themes: [String]? = nil) -> Verdict? {
        let known = game == "memory" ? memoryNames : ["seats", "turnTime"]
        let members = (asked.members ?? []).filter { $0.value != .null }
        for member in members where !known.contains(member.name) {
            return .refused(code: "unknown-option", values: [.init("option", .text(member.name))])
        }
        for name in known {
            guard let value = members.first(where: { $0.name == name })?.value else { continue }
            if let refused = refusal(of: name, value, game: game, themes: themes) { return refused }
        }
        let names = members.map(\.name)
        if names.contains("pairs"), let other = ["columns", "rows"].first(where: { names.contains($0) }) {
            return .refused(code: "options-conflict", values: [.init("options", ["pairs", .text(other)])])
        }
        return nil
    }

    private static let memoryNames = [
        "seats", "turnTime", "preset", "columns", "rows", "pairs", "theme", "rule", "turnRule", "reveal", "matched",
    ]

    private static func refusal(of name: String, _ value: JSON, game: String, themes: [String]?) -> Verdict? {
        if let range = range(of: name, game: game) {
            if let number = value.number, range.contains(number) || name == "turnTime" && number == 0 { return nil }
            let ends = JSON.numbers([range.lowerBound, range.upperBound])
            return .refused(code: "out-of-range", values: [.init("option", .text(name)), .init("range", ends)])
        }
        var values = [JSON.Member("option", .text(name))]
        if name == "theme" {
            guard let theme = value.text else { return .refused(code: "unknown-value", values: values) }
            guard let themes, theme != "random", !themes.contains(theme) else { return nil }
            return .refused(code: "unknown-value", values: values)
        }
        let choices = choices(of: name)
        if let text = value.text, choices.contains(text) { return nil }
        values.append(.init("choices", .list(choices.map(JSON.text))))
        return .refused(code: "unknown-value", values: values)
    }

    /// Of an option that is a number.
    private static func range(of name: String, game: String) -> ClosedRange<Int>? {
        switch name {
        case "seats": game == "memory" ? 1...8 : 2...2
        case "turnTime": turnTimes
        case "columns": 2...8
        case "rows": 3...12
        case "pairs": 3...48
        case "reveal": 200...10_000
        default: nil
        }
    }

    private static func choices(of name: String) -> [String] {
        switch name {
        case "preset": ["classic", "easy", "medium", "hard", "memorize", "custom"]
        case "rule": MemoryRule.allCases.map(\.rawValue)
        case "turnRule": ["again", "alternate"]
        default: ["stay", "vanish"]
        }
    }

    /// Seconds that a turn has in a game of so many people.
    static func turnTime(_ asked: JSON, people: Int) -> Int { asked["turnTime"]?.number ?? (people > 1 ? 30 : 0) }
}

/// How cards are scored.
enum MemoryRule: String, CaseIterable {
    case pairs, memorize, easy, medium, hard

    var hasBonus: Bool { self == .medium || self == .hard }

    func match(bonus: Int) -> Int {
        switch self {
        case .pairs: 1
        case .memorize: 2
        case .easy: 10
        case .medium, .hard: 10 + bonus
        }
    }

    /// A score once two cards that differ have gone down, `known` of which had been up in an earlier turn.
    func mismatch(_ score: Int, known: Int) -> Int {
        switch self {
        case .memorize: score - known
        case .hard: max(0, score - 5)
        case .pairs, .easy, .medium: score
        }
    }
}
