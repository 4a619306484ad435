import JSON

@testable import Games
@testable import ReferenceModel

// What the two must agree about.
extension SideBySide {
    /// Random commands of a seat, most of which are refused.
    mutating func judge(_ seat: Seat) {
        guard !model.left.contains(seat.rawValue), !model.away.contains(seat.rawValue), !model.isOver else { return }
        let number = words.number(below: 100) - 2
        for command in [
            ReferenceModel.GameCommand.flip(cell: number), .place(cell: number), .drop(column: number % 10), .shuffle,
            .resign,
        ] where disagreement == nil && Played.hasCommand(command.json["type"]?.text ?? "") {
            guard let events = judge(command, by: seat.rawValue) else { continue }
            // One in some is done.
            guard words.number(below: command == .resign ? 200 : 8) == 0 else { continue }
            follow(events.real, expected: events.model, "\(command) by \(seat.rawValue)")
        }
    }

    /// What a command leads to, if it is taken: and both say the same of it.
    mutating func judge(_ command: ReferenceModel.GameCommand, by seat: Int) -> (
        real: [GameStep], model: [ReferenceModel.GameEvent]
    )? {
        let verdict = model.verdict(on: command, by: seat, at: now, gone: [])
        do throws(Rejection) {
            let fields = Fields(
                (command.json.members ?? []).filter { $0.name != "type" }.map { ($0.name, Value($0.value)) })
            let steps = try real.decide(command.json["type"]?.text ?? "", fields, by: Seat(seat), at: now)
            guard let steps, case .events(let events) = verdict else {
                disagree("\(command) by \(seat) is taken, expected \(verdict)")
                return nil
            }
            return (steps, events)
        } catch {
            reasons[error.code, default: 0] += 1
            guard case .refused(let code, let values) = verdict, code == error.code else {
                disagree("\(command) by \(seat) is refused as \(error.code), expected \(verdict)")
                return nil
            }
            if JSON.object(values) != JSON(error.values) {
                disagree("\(command) by \(seat): \(code) with \(error.values), expected \(values)")
            }
            return nil
        }
    }

    mutating func follow(_ steps: [GameStep], expected: [ReferenceModel.GameEvent], _ cause: String) {
        history.append("\(now) \(cause):")
        var index = 0
        for step in steps { follow(step, expected, &index) }
        finish(expected, index)
    }

    mutating func follow(_ step: GameStep, _ expected: [ReferenceModel.GameEvent], _ index: inout Int) {
        guard disagreement == nil else { return }
        let shown = JSON(step.fields.merging(["type": .string(step.type)]))
        history.append("\(now) \(shown)")
        guard index < expected.count else { return disagree("\(shown), expected nothing more behind \(expected)") }
        if let difference = expected[index].difference(from: shown) {
            return disagree("\(shown): \(difference); expected \(expected)")
        }
        let bytes = JSON(
            ([("v", 7), ("t", .integer(now)), ("type", .string(step.type))] + step.fields.elements).fields)
        let text = Array(bytes.description.utf8)
        let isPlain = expected[index].isPlainly(text, version: 7, time: now, more: false)
        let isOther = expected[index].isPlainly(text, version: 8, time: now, more: false)
        let isSlow = ["away", "back", "cards-shuffled", "resigned"].contains(step.type) || step.fields["line"] != nil
        if isPlain == isSlow || isOther { disagree("\(bytes) is not plainly what it is") }
        events[step.type, default: 0] += 1
        guard real.apply(step, at: now) else { return disagree("\(shown) is not read back") }
        model.apply(expected[index], at: now)
        index += 1
        compareViews()
    }

    /// What is expected behind the game's own events: its end, if it has come. `room`: the room ends it.
    mutating func finish(
        _ expected: [ReferenceModel.GameEvent], _ index: Int, _ room: (String, [PlayerResult])? = nil
    ) {
        guard disagreement == nil else { return }
        let outcome = real.outcome
        guard let end = room ?? outcome.map({ ($0.reason.rawValue, $0.results) }) else {
            if index < expected.count { disagree("nothing more, expected \(expected[index...])") }
            return
        }
        guard index + 1 == expected.count, case .gameEnded(let ending) = expected[index] else {
            return disagree("the end \(end), expected \(expected)")
        }
        reasons["end by \(end.0)", default: 0] += 1
        compare("reason", ending.reason, end.0)
        compare("results", ending.results, named(end.1))
        model.apply(expected[index], at: now)
    }

    /// As a room names and places them (ProtocolPlay.md).
    func named(_ results: [PlayerResult]) -> [GameResult] {
        func isBetter(_ one: PlayerResult, _ other: PlayerResult) -> Bool {
            guard one.isLeftEarly == other.isLeftEarly else { return other.isLeftEarly }
            guard let place = one.place, let others = other.place else { return one.score > other.score }
            return place < others
        }
        return results.map { result in
            GameResult(
                seat: result.seat.rawValue, player: player(result.seat), score: result.score,
                place: 1 + results.count { isBetter($0, result) }, turns: result.figures["turns"]?.integer,
                pairs: result.figures["pairs"]?.integer, tournament: result.figures["tournament"]?.integer,
                time: result.time, hasLeft: result.isLeftEarly, wasHelped: model.wasHelped(result.seat.rawValue),
                isComputer: computers.contains(result.seat))
        }
    }

    func player(_ seat: Seat) -> String {
        computers.contains(seat) ? "bot-\(seat.rawValue)" : "p\(seat.rawValue)"
    }

    mutating func compareViews() {
        guard disagreement == nil else { return }
        if let difference = model.view.difference(from: JSON(real.view)) { disagree("view: \(difference)") }
        compare("hasMoved", model.hasMoved, real.hasMoves)
    }

    mutating func compare<Thing: Equatable>(_ what: String, _ expected: Thing, _ found: Thing) {
        if expected != found { disagree("\(what) is \(found), expected \(expected)") }
    }

    mutating func disagree(_ what: String) { disagreement = disagreement ?? what }
}
