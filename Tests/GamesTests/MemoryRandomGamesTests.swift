import Cryptography
import Testing

@testable import Games

/// Whole games that nobody planned: any board, any number of players, any moves, some of them foolish. A failure names
/// the game's number, from which all of it follows.
@Suite("Memory: random games") struct MemoryRandomGamesTests {
    /// Games that are played: so many times the count of `batches`.
    private static let gamesInABatch = 50
    private static let batches = Array(0..<40)
    /// No game here comes near it; without it a rule that forgets to end one would end no test.
    private static let mostSteps = 20_000

    @Test("everything that holds of one game holds of all", arguments: batches)
    func games(batch: Int) throws {
        for number in (batch * Self.gamesInABatch)..<((batch + 1) * Self.gamesInABatch) {
            var game = try RandomGame(number)
            try game.play(mostSteps: Self.mostSteps)
            try game.check()
            // The rest of the games would only say it again.
            guard game.hasHeld else { break }
        }
    }
}

/// One of them.
private struct RandomGame {
    let number: Int
    var words: RandomWords
    var table: Table
    var hasHeld = true
    /// Whether its players remember what they saw, so that games end by pairs and not only by stalling.
    let isClever: Bool

    init(_ number: Int) throws {
        self.number = number
        var words = RandomWords(seed: SHA256.digest(of: "random game \(number)"))
        var options = RandomGame.options(&words)
        var seats = Array(0..<8)
        words.shuffle(&seats)
        seats = Array(seats.prefix(1 + words.number(below: 4)))
        if words.number(below: 2) == 0 { options["turnTime"] = .integer([0, 5, 60][words.number(below: 3)]) }
        table = try Table(
            options, seats: seats, first: seats[words.number(below: seats.count)],
            seed: SHA256.digest(of: "deck \(number)"), at: 1_700_000_000_000)
        // A view costs more than all the rest: every twentieth game is enough for every version of it.
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
        case 0..<150: flip(by: table.turn)
        case 150..<170: _ = table.wait()
        case 170..<180: flip(by: anySeat())
        case 180..<185: _ = table.act(anySeat())
        case 185..<190: table.extend(1 + words.number(below: 100_000))
        case 190: if words.number(below: 10) == 0 { _ = table.leave(anySeat()) }
        default: table.pass(words.number(below: 100))
        }
        // A room lets happen what is due before it hears anybody.
        if let deadline = table.live.deadline, deadline <= table.now { _ = table.wait() }
        if table.live.revealUntil != nil, words.number(below: 3) > 0 { _ = table.wait() }
    }

    private mutating func anySeat() -> Seat { table.seats[words.number(below: table.seats.count)] }

    private mutating func flip(by seat: Seat) {
        let cell = pick()
        let before = table.live
        // What is refused is known to the table: another's turn, a gap, a card up or won, the reveal.
        do {
            let events = try table.flip(cell, by: seat)
            let wasAllowed = before.cards.indices.contains(cell) && before.cards[cell].side == .down
            expect(wasAllowed && before.secondUp == nil, "only cards that are down are turned up")
            expect(events.contains { $0.type == "show-card" }, "a flip shows a card")
        } catch {
            expect(table.live == before, "a refusal changes nothing")
        }
    }

    private mutating func pick() -> Int {
        let live = table.live
        if isClever, let first = live.firstUp, live.secondUp == nil, words.number(below: 2) == 0,
            let second = live.cards.indices.first(where: {
                $0 != first && live.cards[$0].isSeen && live.deck[$0] == live.deck[first]
            })
        {
            return second
        }
        return words.number(below: live.cards.count + 2) - 1
    }

    mutating func check() throws {
        checkDeck()
        try checkReplay()
        checkScores()
        checkSecrets()
    }

    /// Two of each face, no two pairs with the same.
    private mutating func checkDeck() {
        let faces = table.faces.compactMap(\.self)
        let pairs = table.live.setup.board.pairs
        expect(faces.count == 2 * pairs && Set(faces).count == pairs, "as many faces as pairs")
        expect(Set(faces).allSatisfy { face in faces.filter { $0 == face }.count == 2 }, "two of each face")
        expect(table.live.setup.faces.count == Set(table.live.setup.faces).count, "faces are distinct")
    }

    /// The log alone, read again from its beginning, gives every state that there was.
    private mutating func checkReplay() throws {
        var replayed = try #require(
            Memory.started(
                options: table.options, fields: table.fields, players: table.seats, first: table.first,
                seed: table.seed, at: table.startedAt))
        expect(replayed == table.states[0], "the start is the same again")
        for (index, entry) in table.log.enumerated() {
            switch entry {
            case .event(let happening, let time):
                let fits = replayed.apply(happening, at: time)
                expect(fits, "\(happening) fits again")
            case .left(let seat, let time): replayed.applyLeaving(of: seat, at: time)
            case .extended(let span): replayed.extendClock(by: span)
            }
            expect(
                replayed.differsOnlyInDeck(from: table.states[index + 1]),
                "the state after \(index + 1) events is the same again")
        }
        expect(replayed == table.live, "and so is its end")
    }

    /// Scores, pairs and the commits' shape follow from the events alone.
    private mutating func checkScores() {
        var won: [Int: Int] = [:]
        for seat in table.seats { won[seat.rawValue] = 0 }
        for (index, entry) in table.log.enumerated() {
            guard case .event(let happening, _) = entry, happening.type == "match" || happening.type == "hide-card"
            else { continue }
            if happening.type == "match", let seat = happening.fields["seat"]?.integer { won[seat, default: 0] += 1 }
            var scores: Fields = [:]
            for seat in table.seats { scores[String(seat.rawValue)] = .integer(won[seat.rawValue] ?? 0) }
            expect(happening.fields["scores"] == .object(scores), "the scores after event \(index)")
        }
        for result in table.live.results(at: table.now) {
            expect(result.score == won[result.seat.rawValue], "one point a pair")
            expect(result.figures["pairs"] == .integer(result.score), "pairs are what was won")
            let turns = result.figures["turns"]?.integer ?? -1
            expect(turns >= result.score, "each pair takes an attempt")
        }
        if table.live.outcome?.reason == "finished" {
            expect(won.values.reduce(0, +) == table.live.setup.board.pairs, "every pair is somebody's")
        }
    }

    /// No text of a face leaves the game in an event but the one that shows it, nor in a view but for cards up or won.
    private mutating func checkSecrets() {
        let faces = Set(table.live.setup.faces)
        for entry in table.log {
            guard case .event(let happening, _) = entry else { continue }
            var fields = happening.fields
            if happening.type == "show-card", let cell = fields["cell"]?.integer {
                expect(fields["face"]?.string == table.faces[cell], "the face that was dealt")
                fields["face"] = nil
            }
            expect(faces.isDisjoint(with: texts(.object(fields))), "\(happening) shows no other face")
        }
        for (index, state) in table.states.enumerated() where index.isMultiple(of: 29) || table.comparesViews {
            var view = state.view
            for (cell, shown) in (view["cells"]?.list ?? []).enumerated() {
                let isOpen = ["up", "won"].contains(shown.object?["state"]?.string)
                expect(shown.object?["face"]?.string == (isOpen ? table.faces[cell] : nil), "faces of open cards")
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
        Issue.record("random game \(number): not so: \(sentence())")
    }
}
