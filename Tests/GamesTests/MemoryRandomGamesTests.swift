import Cryptography
import JSON
import Testing

@testable import Games

/// Whole random games: any board, any number of players, any moves, some of them foolish. A failure names the game's
/// rule and number, from which everything follows.
@Suite("Memory: random games") struct MemoryRandomGamesTests {
    /// Games of each rule in a batch; `batches` counts the batches.
    private static let gamesInABatch = 50
    private static let batches = Array(0..<LongTests.count(3, long: 2_000))
    /// No game here comes near it. Without it, a rule that fails to end a game would never end the test.
    private static let mostSteps = 200_000

    @Test("every game keeps every rule", arguments: Memory.Rule.allCases, batches)
    func games(rule: Memory.Rule, batch: Int) throws {
        for number in (batch * Self.gamesInABatch)..<((batch + 1) * Self.gamesInABatch) {
            var game = try RandomGame(rule, number)
            try game.play(mostSteps: Self.mostSteps)
            game.check()
            // The other games would only fail the same way.
            guard game.hasHeld else { break }
        }
    }
}

private struct RandomGame {
    let rule: Memory.Rule
    let number: Int
    var words: RandomWords
    var table: Table
    var hasHeld = true
    /// Whether its players remember what they saw, so that games end by pairs and not only by stalling.
    let isClever: Bool

    init(_ rule: Memory.Rule, _ number: Int) throws {
        self.rule = rule
        self.number = number
        var words = RandomWords(seed: SHA256.digest(of: "random game \(rule) \(number)"))
        var options = RandomGame.options(&words)
        options["rule"] = .string(rule.rawValue)
        var seats = Array(0..<8)
        words.shuffle(&seats)
        seats = Array(seats.prefix(1 + words.number(below: 4)))
        let isRace = words.number(below: 4) == 0
        if isRace { (options["order"], options["turnRule"]) = ("free", nil) }
        if words.number(below: 2) == 0 { options["turnTime"] = .integer([0, 5, 60][words.number(below: 3)]) }
        table = try Table(
            options, seats: seats, first: seats[words.number(below: seats.count)],
            seed: SHA256.digest(of: "deck \(rule) \(number)"), at: 1_700_000_000_000)
        // A view costs more than everything else. Every twentieth game is enough for every version of it.
        table.comparesViews = number.isMultiple(of: 20)
        isClever = words.number(below: 4) > 0
        self.words = words
    }

    private static func options(_ words: inout RandomWords) -> Fields {
        var options: Fields = [:]
        switch words.number(below: 3) {
        case 0: options["preset"] = .string(Memory.Preset.allCases[words.number(below: 6)].rawValue)
        case 1: options["pairs"] = .integer(3 + words.number(below: 12))
        default:
            options["columns"] = .integer(2 + words.number(below: 4))
            options["rows"] = .integer(3 + words.number(below: 4))
        }
        options["theme"] = .string(["random", "numbers", "garden"][words.number(below: 3)])
        if words.number(below: 2) == 0 { options["turnRule"] = "alternate" }
        if words.number(below: 2) == 0 { options["matched"] = "vanish" }
        return options
    }

    mutating func play(mostSteps: Int) throws {
        var steps = 0
        while table.live.outcome == nil, steps < mostSteps {
            steps += 1
            step()
        }
        expect(table.live.outcome != nil, "it ends")
    }

    private mutating func step() {
        switch words.number(below: 200) {
        case 0..<150: flip(by: awaitedSeat())
        case 150..<170: _ = table.wait()
        case 170..<180: flip(by: anySeat())
        case 180..<185: _ = table.act(anySeat())
        case 185..<190: table.extend(1 + words.number(below: 100_000))
        case 190: if words.number(below: 10) == 0 { _ = table.leave(anySeat()) }
        case 191..<195: shuffle(by: words.number(below: 3) > 0 ? table.turn : anySeat())
        default: table.pass(words.number(below: 3_000))
        }
        // A room does what is due before it listens to anyone.
        if let deadline = table.live.deadline, deadline <= table.now { _ = table.wait() }
        if table.live.revealUntil != nil, words.number(below: 3) > 0 { _ = table.wait() }
    }

    private mutating func awaitedSeat() -> Seat {
        let awaited = table.live.awaited.sorted()
        return awaited.isEmpty ? table.turn : awaited[words.number(below: awaited.count)]
    }

    private mutating func anySeat() -> Seat { table.seats[words.number(below: table.seats.count)] }

    // A command may be refused, which the contract of a game checks.
    private mutating func flip(by seat: Seat) {
        let cell = pick(among: table.live.legalCommands(for: seat))
        _ = try? table.flip(cell, by: seat)
    }

    private mutating func shuffle(by seat: Seat) { _ = try? table.command("shuffle", by: seat) }

    /// Mostly a legal card, sometimes any card or none.
    private mutating func pick(among legal: [Memory.Command]) -> Int {
        let live = table.live
        let up = live.race?.up.last?.cell ?? live.firstUp
        if isClever, let first = up, live.secondUp == nil, words.number(below: 2) == 0,
            let second = live.cards.indices.first(where: {
                $0 != first && live.cards[$0].isSeen && live.deck[$0] == live.deck[first]
            })
        {
            return second
        }
        if words.number(below: 4) > 0, !legal.isEmpty, case .flip(let cell) = legal[words.number(below: legal.count)] {
            return cell
        }
        return words.number(below: live.cards.count + 2) - 1
    }

    mutating func check() {
        checkDeck()
        checkScores()
        checkSecrets()
    }

    /// Two of each face, and no two pairs with the same.
    private mutating func checkDeck() {
        let faces = table.faces.compactMap(\.self)
        let pairs = table.live.setup.board.pairs
        expect(faces.count == 2 * pairs && Set(faces).count == pairs, "as many faces as pairs")
        expect(Set(faces).allSatisfy { face in faces.filter { $0 == face }.count == 2 }, "two of each face")
        expect(table.live.setup.faces.count == Set(table.live.setup.faces).count, "faces are distinct")
    }

    /// Scores, bonuses, pairs and turns follow from the events alone.
    private mutating func checkScores() {
        let live = table.live
        var scorer = MemoryScorer(
            rule: rule.rawValue, isRace: live.race != nil, reveal: live.setup.reveal, seats: table.seats)
        for (index, entry) in table.log.enumerated() {
            switch entry {
            case .left(let seat, _): scorer.leave(seat)
            case .extended(let span): scorer.extend(span)
            case .event(let step, let time):
                var leaving: Seat?
                if index + 1 < table.log.count, case .left(let seat, _) = table.log[index + 1] { leaving = seat }
                let figures = scorer.take(step, at: time, leaving: leaving)
                let scores = figures.scores.map { sorted($0) }
                expect(step.fields["scores"]?.object.map { sorted($0) } == scores, "the scores of event \(index)")
                expect(step.fields["bonus"]?.integer == figures.bonus, "the bonus of event \(index)")
            }
        }
        for result in table.live.results(at: table.now) {
            let seat = result.seat.rawValue
            expect(result.score == scorer.scores[seat], "the score is the sum of what was scored")
            expect(result.figures["pairs"]?.integer == scorer.pairs[seat] ?? 0, "pairs are what was won")
            expect(result.figures["turns"]?.integer == scorer.turns[seat] ?? 0, "turns are attempts")
        }
        checkOutcome(scorer)
    }

    private mutating func checkOutcome(_ scorer: MemoryScorer) {
        guard let outcome = table.live.outcome else { return }
        let hasFlip = table.log.contains { entry in
            if case .event(let step, _) = entry { step.type == "show-card" } else { false }
        }
        expect(table.live.hasMoves == hasFlip, "whether anybody has moved")
        expect(outcome.results.count == table.seats.count, "who is recorded")
        expect([.finished, .stalled, .left].contains(outcome.reason), "why it ended")
        if outcome.reason == .finished {
            let won = scorer.pairs.values.reduce(0, +)
            expect(won == table.live.setup.board.pairs, "every pair is somebody's")
        }
    }

    private func sorted(_ scores: Fields) -> [String] {
        zip(scores.names, scores.values).map { "\($0): \($1)" }.sorted()
    }

    /// A face's text leaves the game only in the event that shows it, and in views of cards that are up or won.
    private mutating func checkSecrets() {
        let faces = Set(table.live.setup.faces)
        for (index, entry) in table.log.enumerated() {
            guard case .event(let step, _) = entry else { continue }
            var fields = step.fields
            if step.type == "show-card", let cell = fields["cell"]?.integer {
                expect(fields["face"]?.string == Table.faces(of: table.states[index])[cell], "the face that was dealt")
                fields["face"] = nil
            }
            expect(faces.isDisjoint(with: texts(.object(fields))), "\(step) shows no other face")
        }
        for (index, state) in table.states.enumerated() where index.isMultiple(of: 29) || table.comparesViews {
            var view = state.view
            let dealt = Table.faces(of: state)
            for (cell, shown) in (view["cells"]?.list ?? []).enumerated() {
                let isOpen = ["up", "won"].contains(shown.object?["state"]?.string)
                expect(shown.object?["face"]?.string == (isOpen ? dealt[cell] : nil), "faces of open cards")
            }
            view["cells"] = nil
            expect(faces.isDisjoint(with: texts(.object(view))), "no face beside the cells")
        }
    }

    /// All texts in `value` that are not names of fields.
    private func texts(_ value: Value) -> [String] {
        switch value {
        case .string(let text): [text]
        case .list(let values): values.flatMap(texts)
        case .object(let fields): fields.values.flatMap(texts)
        default: []
        }
    }

    private mutating func expect(_ holds: Bool, _ sentence: @autoclosure () -> String) {
        guard !holds, hasHeld else { return }
        hasHeld = false
        Issue.record("random game \(number) of \(rule): not so: \(sentence())")
    }
}
