extension GameEvent {
    /// `type`, as the protocol has it.
    var type: String {
        switch self {
        case .turn: "turn"
        case .turnExpired: "turn-expired"
        case .away: "away"
        case .back: "back"
        case .showCard: "show-card"
        case .match: "match"
        case .hideCard: "hide-card"
        case .cardsShuffled: "cards-shuffled"
        case .placeDisc: "place-disc"
        case .pass: "pass"
        case .dropDisc: "drop-disc"
        case .resigned: "resigned"
        case .playerLeft: "player-left"
        case .gameEnded: "game-ended"
        case .clockExtended: "clock-extended"
        case .seatHelped: "seat-helped"
        case .seatReturned: "seat-returned"
        }
    }

    /// All members but `v` and `t`. Of `game-ended` without `commitment`, and of `clock-extended` and `seat-helped`
    /// only what a game has to do with.
    var json: JSON {
        var members: [JSON.Member] = [JSON.Member("type", .text(type))]
        func add(_ name: String, _ value: JSON?) { if let value { members.append(JSON.Member(name, value)) } }
        switch self {
        case .turn(let seat, let deadline):
            add("seat", .number(seat))
            add("deadline", deadline.map(JSON.number))
        case .turnExpired(let seat), .away(let seat), .back(let seat), .pass(let seat), .resigned(let seat),
            .seatHelped(let seat), .seatReturned(let seat):
            add("seat", .number(seat))
        case .showCard(let cell, let face, let seat, let bonus):
            add("cell", .number(cell))
            add("face", .text(face))
            add("seat", .number(seat))
            add("bonus", bonus.map(JSON.number))
        case .match(let first, let second, let seat, let scores):
            add("cells", [.number(first), .number(second)])
            add("seat", .number(seat))
            add("scores", .bySeat(scores))
        case .hideCard(let first, let second, let scores):
            add("cells", .list([first, second].compactMap { $0.map(JSON.number) }))
            add("scores", .bySeat(scores))
        case .cardsShuffled(let seat, let moves):
            add("seat", .number(seat))
            let pairs = stride(from: 0, to: moves.count, by: 2)
            add("moves", .list(pairs.map { [.number(moves[$0]), .number(moves[$0 + 1])] }))
        case .placeDisc(let cell, let seat, let flips):
            add("cell", .number(cell))
            add("seat", .number(seat))
            add("flips", .numbers(flips))
        case .dropDisc(let cell, let seat, let line):
            add("cell", .number(cell))
            add("seat", .number(seat))
            add("line", line.map(JSON.numbers))
        case .playerLeft(let departure): members += departure.members
        case .gameEnded(let ending): members += ending.members
        case .clockExtended(let ms): add("ms", .number(ms))
        }
        return .object(members)
    }

    /// The first member in which an event that was shown differs from this one, and how; nil: it says the same. `v`,
    /// `t`, `more` and those named in `ignoring` are not looked at.
    func difference(from actual: JSON, ignoring: [String] = []) -> String? {
        json.difference(from: actual, ignoring: ["v", "t", "more"] + ignoring)
    }
}

extension Departure {
    fileprivate var members: [JSON.Member] {
        [
            .init("seat", .number(seat)), .init("player", .text(player)), .init("reason", .text(reason)),
            .init("game", .text(game)), .init("mode", .text(mode)), .init("number", .number(number)),
            .init("against", .text(against)), .init("result", result.json),
        ]
    }
}

extension Ending {
    fileprivate var members: [JSON.Member] {
        var members: [JSON.Member] = [
            .init("game", .text(game)), .init("mode", .text(mode)), .init("number", .number(number)),
            .init("results", .list(results.map(\.json))), .init("reason", .text(reason)),
        ]
        if isUnplayed { members.append(.init("unplayed", true)) }
        if let reveal { members.append(.init("reveal", reveal)) }
        return members
    }
}

extension GameResult {
    /// As `game-ended` and `player-left` have it.
    var json: JSON {
        var members: [JSON.Member] = [
            .init("seat", .number(seat)), .init("player", .text(player)), .init("score", .number(score)),
            .init("place", .number(place)),
        ]
        if let turns { members.append(.init("turns", .number(turns))) }
        if let pairs { members.append(.init("pairs", .number(pairs))) }
        if let tournament { members.append(.init("tournament", .number(tournament))) }
        members.append(.init("time", .number(time)))
        if hasLeft { members.append(.init("left", true)) }
        if wasHelped { members.append(.init("helped", true)) }
        if isComputer { members.append(.init("bot", true)) }
        return .object(members)
    }
}

extension JSON {
    static func numbers(_ numbers: [Int]) -> JSON { .list(numbers.map(JSON.number)) }

    static func bySeat(_ numbers: [SeatNumber]) -> JSON {
        .object(numbers.map { Member("\($0.seat)", .number($0.number)) })
    }

    /// The first member in which another object differs, and how; nil where both say the same.
    func difference(from actual: JSON, ignoring: [String] = []) -> String? {
        guard let expected = members, let found = actual.members else {
            return self == actual ? nil : "\(actual) instead of \(self)"
        }
        for member in expected where !ignoring.contains(member.name) {
            guard let value = actual[member.name] else { return "\(member.name) is missing, should be \(member.value)" }
            if value != member.value { return "\(member.name) is \(value) instead of \(member.value)" }
        }
        for member in found where !ignoring.contains(member.name) && self[member.name] == nil {
            return "\(member.name) is \(member.value), should not be there"
        }
        return nil
    }
}
