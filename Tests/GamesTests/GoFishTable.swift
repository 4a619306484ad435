import Cryptography
import JSON
import Testing

@testable import Games

/// A game of two to six in three folds: one that knows the seed, one of the public log, and the view as its comment
/// describes it.
struct FishTable: GameTable {
    private(set) var live: GoFish
    private(set) var shown: GoFish
    private(set) var view: ShownFish
    var log: [GameStep] = []
    var now: Milliseconds = 0

    init(players: Int = 2, _ options: Fields = [:], first: Int = 0, seed: String = "go fish") throws {
        try self.init(players: players, options, first: first, deck: nil, seed: SHA256.digest(of: seed))
    }

    /// With these hands, such as `["3♠ 3♥", "K♦"]`, and a pond whose first card is on top. All other cards are left
    /// out.
    init(_ hands: [String], pond: String = "", _ options: Fields = [:], first: Int = 0) throws {
        var deck = GoFish.Deck(players: [], seed: SHA256.digest(of: "go fish"))
        deck.pond = try cards(pond).reversed()
        for (seat, names) in hands.enumerated() {
            for card in try cards(names) { deck.hands[Seat(seat), default: GoFish.Cards()].insert(card) }
        }
        try self.init(
            players: hands.count, options, first: first, deck: deck, seed: SHA256.digest(of: "go fish"))
    }

    private init(players: Int, _ options: Fields, first: Int, deck: GoFish.Deck?, seed: Digest) throws {
        let asked = (["turnTime": 5] as Fields).merging(options)
        let seats = (0..<players).map { Seat($0) }
        let setup = try GoFish.Setup(GoFish.options(asked))
        live = GoFish(setup: setup, players: seats, first: Seat(first), seed: seed, at: 0)
        shown = GoFish(setup: setup, players: seats, first: Seat(first), seed: nil, at: 0)
        if let deck {
            live.lay(deck, inPlayOf: seats)
            shown.lay(deck, inPlayOf: seats)
            (live.deck, shown.deck) = (deck, nil)
        }
        view = ShownFish(live.view)
        record(live.openingSteps(at: 0))
    }

    /// The player whose turn it is asks.
    @discardableResult
    mutating func ask(_ seat: Int, _ rank: String) throws -> [GameStep] {
        try play("ask", ["seat": .integer(seat), "rank": .string(rank)], by: live.mover.rawValue)
    }

    mutating func apply(_ step: GameStep) {
        if !live.apply(step, at: now) || !shown.apply(step, at: now) { Issue.record("\(step) does not fit") }
        view.apply(step)
        compare(step.type)
    }

    mutating func applyLeaving(of seat: Seat) {
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
        view.apply(GameStep(type: "player-left", fields: ["seat": .integer(seat.rawValue)]))
        compare("player-left")
    }

    private func compare(_ what: String) {
        #expect(live.view == shown.view && live.awaited == shown.awaited && live.outcome == shown.outcome, "\(what)")
        let awaited = live.awaited.map(\.rawValue)
        #expect(view.fields.isSame(as: live.view) && view.awaited == awaited, "\(what): \(view) \(live.view)")
        #expect(faults.isEmpty, "\(what): \(faults)")
    }

    /// What does not hold between the cards and the counts.
    private var faults: [String] {
        guard let deck = live.deck else { return ["no deck"] }
        let inHands = live.players.flatMap { deck.hand(of: $0).numbers }
        var faults: [String] = []
        if Set(inHands + deck.pond).count != inHands.count + deck.pond.count { faults.append("a card in two places") }
        if live.pond != deck.pond.count { faults.append("the pond") }
        for seat in live.players where live.count(of: seat) != deck.hand(of: seat).count { faults.append("\(seat)") }
        for rank in GoFish.Rank.all {
            let laid = live.books.count { $0.rank == rank } * live.setup.books.size
            let others = (inHands + deck.pond).count { $0 / 4 == rank.index }
            if laid + others > 4 { faults.append("too many of \(rank.name)") }
            if live.dealsAll, laid + others != 4 { faults.append("cards of \(rank.name) are missing") }
        }
        return faults
    }
}

/// Card numbers from names.
private func cards(_ names: String) throws -> [Int] {
    try names.split(separator: " ").map { name in
        try #require(GoFish.Cards(names: [String(name)])?.numbers.first, "\(name) is no card")
    }
}

extension GoFish {
    /// Whether no card was left out for a test.
    fileprivate var dealsAll: Bool {
        pond + counts.values.reduce(0, +) + books.count * setup.books.size == Deck.size
    }

    fileprivate mutating func lay(_ deck: Deck, inPlayOf seats: [Seat]) {
        pond = deck.pond.count
        for seat in seats { counts[seat] = deck.hand(of: seat).count }
    }
}

/// The view, changed by events as the comment of `GoFish.view` says, and by nothing else.
struct ShownFish {
    private(set) var fields: Fields
    private(set) var awaited: [Int] = []

    init(_ fields: Fields) { self.fields = fields }

    mutating func apply(_ step: GameStep) {
        guard let seat = step.fields["seat"]?.integer else { return }
        let rank = step.fields["rank"]
        switch step.type {
        case "cards-asked":
            let (asked, count) = (step.fields["of"]?.integer ?? 0, step.fields["count"]?.integer ?? 0)
            add(-count, to: asked, in: "cards")
            add(count, to: seat, in: "cards")
            fields["last"] = .object(step.fields)
            set("late", seat, nil)
            stop()
        case "card-drawn":
            add(-1, toPondAnd: seat)
            guard var last = fields["last"]?.object, last["seat"]?.integer == seat, last["count"] == 0,
                last["drew"] == nil
            else { return }
            last["drew"] = true
            if rank != nil { last["lucky"] = true }
            fields["last"] = .object(last)
        case "book":
            fields["books"] = .list((fields["books"]?.list ?? []) + [.object(step.fields)])
            add(1, to: seat, in: "scores")
            add(fields["options"]?.object?["books"] == "pairs" ? -2 : -4, to: seat, in: "cards")
        case "turn": (awaited, fields["deadline"]) = ([seat], step.fields["deadline"])
        case "turn-expired":
            add(1, to: seat, in: "late")
            if number("late", seat) == 3 { remove(seat, "time") } else { stop() }
        case "resigned": remove(seat, "resigned")
        default: remove(seat, "left")
        }
    }

    private mutating func stop() { (awaited, fields["deadline"]) = ([], nil) }

    private mutating func remove(_ seat: Int, _ reason: String) {
        let out = fields["out"]?.list ?? []
        guard !out.contains(where: { $0.object?["seat"]?.integer == seat }) else { return }
        let entry = Value.object(["seat": .integer(seat), "reason": .string(reason)])
        (fields["out"], fields["pond"]) = (.list(out + [entry]), .integer(pond + number("cards", seat)))
        set("cards", seat, 0)
        set("late", seat, nil)
        if awaited == [seat] || out.count + 2 >= (fields["seats"]?.list ?? []).count { stop() }
    }

    private var pond: Int { fields["pond"]?.integer ?? 0 }
    private func number(_ name: String, _ seat: Int) -> Int { fields[name]?.object?["\(seat)"]?.integer ?? 0 }

    private mutating func set(_ name: String, _ seat: Int, _ number: Int?) {
        var numbers = fields[name]?.object ?? [:]
        numbers["\(seat)"] = number.map { .integer($0) }
        // The order of seats is that of the numbers here.
        fields[name] = .object(Fields(numbers.elements.sorted { $0.0 < $1.0 }))
    }

    private mutating func add(_ count: Int, to seat: Int, in name: String) {
        set(name, seat, number(name, seat) + count)
    }

    private mutating func add(_ count: Int, toPondAnd seat: Int) {
        fields["pond"] = .integer(pond + count)
        add(-count, to: seat, in: "cards")
    }
}
