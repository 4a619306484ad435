import Cryptography
import JSON
import Testing

@testable import Games

/// A game of Memory as a room would run it. Every event goes through the log's form into two folds, one that knows the
/// seed and one of the shown parts only. Both must always show the same.
///
/// Cards are named by their faces' order on the board, and which of the two it is: `a1`, `a2`, `b1`.
struct Table {
    enum Entry: Equatable {
        case event(GameStep, at: Milliseconds)
        case left(Seat, at: Milliseconds)
        case extended(Milliseconds)
    }

    private(set) var live: Memory
    private(set) var shown: Memory
    private(set) var log: [Entry] = []
    private(set) var now: Milliseconds
    /// The state after each entry of the log; the first is the one before all entries.
    private(set) var states: [Memory]
    /// The face on each cell at the start; nil on a gap.
    let dealtFaces: [String?]
    /// The names of the cards by cell; empty on a gap. A card that is moved keeps its name.
    private(set) var names: [String]
    let options: Fields
    let fields: Fields
    let seats: [Seat]
    let first: Seat
    let seed: Digest
    let startedAt: Milliseconds
    /// False if the test compares by itself, since a view costs more than everything else.
    var comparesViews = true

    init(
        _ asked: Fields, players: Int = 2, seats: [Int]? = nil, first: Int = 0,
        seed: Digest = SHA256.digest(of: "table"), at time: Milliseconds = 0
    ) throws {
        let seats = (seats ?? Array(0..<players)).map { Seat($0) }
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try Memory.setupFields(Memory.options(asked), players: seats.count, draw: &draw)
        let dealt = try #require(Memory.dealtFields(options: setup.options, fields: setup.fields, seed: seed))
        (options, fields) = dealt
        (self.seats, self.first, self.seed, startedAt, now) = (seats, Seat(first), seed, time, time)
        func start(_ seed: Digest?) throws -> Memory {
            try #require(
                Memory.started(
                    options: dealt.options, fields: dealt.fields, players: seats, first: Seat(first), seed: seed,
                    at: time))
        }
        live = try start(seed)
        shown = try start(nil)
        states = [live]
        dealtFaces = Table.faces(of: live)
        names = Table.names(of: dealtFaces)
        #expect(live.setup == shown.setup)
        record(live.openingSteps(at: time))
    }

    /// The face on each cell; nil on a gap.
    var faces: [String?] { Table.faces(of: live) }

    static func faces(of game: Memory) -> [String?] {
        game.deck.map { $0 == Memory.Card.noFace ? nil : game.setup.faces[Int($0)] }
    }

    var turn: Seat { live.players[live.current].seat }

    /// The cell of the card with this name.
    func cell(_ name: String) -> Int? { names.firstIndex(of: name) }

    mutating func flip(_ cell: Int, by seat: Seat) throws(Rejection) -> [GameStep] {
        try command("flip", ["cell": .integer(cell)], by: seat)
    }

    mutating func command(_ type: String, _ fields: Fields = [:], by seat: Seat) throws(Rejection) -> [GameStep] {
        let events = live.actSteps(seat, at: now)
        var judging = live
        for event in events { _ = judging.apply(event, at: now) }
        let done = try judging.decide(type, fields, by: seat, at: now) ?? []
        record(events + done)
        return events + done
    }

    mutating func act(_ seat: Seat) -> [GameStep] {
        let events = live.actSteps(seat, at: now)
        record(events)
        return events
    }

    mutating func leave(_ seat: Seat) -> (before: [GameStep], after: [GameStep]) {
        let events = live.leaveSteps(seat, at: now)
        record(events.before)
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
        note(.left(seat, at: now))
        record(events.after)
        return events
    }

    /// Lets time pass until the next thing happens by itself, if anything does.
    mutating func wait() -> [GameStep] {
        now = max(now, live.deadline ?? now)
        let events = live.wakeSteps(at: now)
        record(events)
        return events
    }

    /// Lets time pass; it must not reach a deadline.
    mutating func pass(_ span: Milliseconds) { now += span }

    /// The hub did not run for so long.
    mutating func extend(_ span: Milliseconds) {
        now += span
        live.extendClock(by: span)
        shown.extendClock(by: span)
        note(.extended(span))
    }

    private mutating func record(_ steps: [GameStep]) {
        for step in steps {
            let fits = (live: live.apply(step, at: now), shown: shown.apply(step, at: now))
            if fits != (true, true) { Issue.record("\(step) does not fit: \(fits)") }
            if step.type == "cards-shuffled" {
                let before = names
                for move in step.fields["moves"]?.list?.compactMap(\.integers) ?? [] {
                    names[move[1]] = before[move[0]]
                }
            }
            note(.event(step, at: now))
        }
    }

    private mutating func note(_ entry: Entry) {
        log.append(entry)
        states.append(live)
        if !live.differsOnlyInDeck(from: shown) { Issue.record("the two folds differ after \(entry)") }
        if comparesViews { #expect(live.view == shown.view, "after \(entry)") }
    }
}

extension Memory {
    /// Whether the two, of one setup, only differ in what one of them knows.
    func differsOnlyInDeck(from other: Memory) -> Bool {
        cards == other.cards && players == other.players && current == other.current
            && turnDeadline == other.turnDeadline && firstUp == other.firstUp && secondUp == other.secondUp
            && revealUntil == other.revealUntil && hasAttempt == other.hasAttempt
            && hasShownNewCard == other.hasShownNewCard && pairsLeft == other.pairsLeft
            && bonusFrom == other.bonusFrom && race == other.race
            && isStalled == other.isStalled && startedAt == other.startedAt && latest == other.latest
    }
}

// Games as short scripts.
extension Table {
    private static func names(of faces: [String?]) -> [String] {
        var letters: [String] = []
        return faces.indices.map { cell in
            guard let face = faces[cell] else { return "" }
            let isFirst = !letters.contains(face)
            if isFirst { letters.append(face) }
            let letter = UnicodeScalar(UInt8(ascii: "a") + UInt8(letters.firstIndex(of: face) ?? 0))
            return "\(letter)\(isFirst ? 1 : 2)"
        }
    }

    /// Plays the words of `script` and returns the result of the last one. `a1`: the player whose turn it is flips that
    /// card; `1:a1`: seat 1 does; `wait`: until the deadline; `+500`: so many ms; `leave1`, `act1`: seat 1 does that;
    /// `shuffle`, `1:shuffle`: that command, as a flip; `down500`: the hub does not run for so long.
    mutating func play(_ script: String) throws -> String {
        var answer = ""
        for word in script.split(separator: " ").map(String.init) {
            answer = try step(word)
        }
        return answer
    }

    private mutating func step(_ word: String) throws -> String {
        if word == "wait" { return text(wait()) }
        if word.hasPrefix("+") {
            pass(try #require(Int(word.dropFirst())))
            return ""
        }
        if word.hasPrefix("down") {
            extend(try #require(Int(word.dropFirst(4))))
            return ""
        }
        if word.hasPrefix("act") { return text(act(Seat(try #require(Int(word.dropFirst(3)))))) }
        if word.hasPrefix("leave") {
            let events = leave(Seat(try #require(Int(word.dropFirst(5)))))
            return [text(events.before), "player-left", text(events.after)].filter { !$0.isEmpty }
                .joined(separator: ", ")
        }
        let parts = word.split(separator: ":").map(String.init)
        let seat = parts.count == 2 ? Seat(try #require(Int(parts[0]))) : turn
        let last = parts[parts.count - 1]
        if last == "shuffle" { return text(try command(last, by: seat)) }
        return text(try flip(try #require(cell(last)), by: seat))
    }

    private func text(_ steps: [GameStep]) -> String { steps.map(text).joined(separator: ", ") }

    private func text(_ step: GameStep) -> String {
        let fields = step.fields
        var words = [step.type]
        if let cell = fields["cell"]?.integer { words.append(names[cell]) }
        words += (fields["cells"]?.integers ?? []).map { names[$0] }
        if let seat = fields["seat"]?.integer { words.append(String(seat)) }
        if let deadline = fields["deadline"]?.integer { words.append("@\(deadline)") }
        return words.joined(separator: " ")
    }
}
