import Cryptography
import JSON
import Testing

@testable import Games

/// A game of two to four, also folded from what is shown.
struct DotsTable: GameTable {
    private(set) var live: DotsAndBoxes
    private(set) var shown: DotsAndBoxes
    private(set) var view: ShownDots
    var log: [GameStep] = []
    var now: Milliseconds = 0

    init(players: Int = 2, size: Int = 3, turnTime: Int = 5, first: Int = 0) throws {
        let asked: Fields = [
            "seats": .integer(players), "size": .integer(size), "turnTime": .integer(turnTime),
        ]
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try DotsAndBoxes.setupFields(DotsAndBoxes.options(asked), players: players, draw: &draw)
        live = try #require(
            DotsAndBoxes.started(
                options: setup.options, fields: setup.fields, players: (0..<players).map { Seat($0) },
                first: Seat(first), seed: nil, at: 0))
        shown = live
        view = ShownDots(live.view, awaited: first)
        record(live.openingSteps(at: 0))
    }

    /// Draws these lines, each by the player whose turn it is, and returns the events of the last.
    @discardableResult
    mutating func draw(_ lines: Int...) throws -> [GameStep] { try draw(lines) }

    @discardableResult
    mutating func draw(_ lines: [Int]) throws -> [GameStep] {
        var steps: [GameStep] = []
        for line in lines { steps = try play("draw", ["line": .integer(line)], by: live.mover.rawValue) }
        return steps
    }

    /// Makes `seat` go out for a reason, and returns the events of this.
    @discardableResult
    mutating func goOut(_ seat: Int, _ reason: String) throws -> [GameStep] {
        switch reason {
        case "time": wait()
        case "resigned": try play("resign", by: seat)
        default: leave(seat)
        }
    }

    mutating func apply(_ step: GameStep) {
        if !live.apply(step, at: now) || !shown.apply(step, at: now) { Issue.record("\(step) does not fit") }
        view.apply(step)
        compare()
    }

    mutating func applyLeaving(of seat: Seat) {
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
        view.apply(GameStep(type: "player-left", fields: ["seat": .integer(seat.rawValue)]))
        compare()
    }

    private func compare() {
        #expect(live == shown)
        let awaited = live.awaited.map(\.rawValue)
        #expect(view.fields.isSame(as: live.view) && view.awaited == awaited.first && awaited.count < 2)
    }
}

/// The view, changed by events as the comment of `DotsAndBoxes.view` says, and by nothing else.
struct ShownDots {
    private(set) var fields: Fields
    private(set) var awaited: Int?

    init(_ fields: Fields, awaited: Int) { (self.fields, self.awaited) = (fields, awaited) }

    mutating func apply(_ step: GameStep) {
        guard let seat = step.fields["seat"]?.integer else { return }
        switch step.type {
        case "draw-line": draw(step.fields["line"]?.integer ?? 0, step.fields["boxes"]?.integers ?? [], by: seat)
        case "turn": fields["deadline"] = step.fields["deadline"]
        case "turn-expired": remove(seat, "time")
        case "resigned": remove(seat, "resigned")
        default: remove(seat, "left")
        }
    }

    private mutating func draw(_ line: Int, _ completed: [Int], by seat: Int) {
        var (lines, boxes) = (fields["lines"]?.list ?? [], fields["boxes"]?.list ?? [])
        lines[line] = .integer(seat)
        for box in completed { boxes[box] = .integer(seat) }
        var scores = fields["scores"]?.object ?? [:]
        scores["\(seat)"] = .integer((scores["\(seat)"]?.integer ?? 0) + completed.count)
        (fields["lines"], fields["boxes"], fields["scores"]) = (.list(lines), .list(boxes), .object(scores))
        (fields["last"], fields["deadline"]) = (.integer(line), nil)
        if completed.isEmpty { awaited = next(after: seat) }
        if !lines.contains(.null) { awaited = nil }
    }

    private mutating func remove(_ seat: Int, _ reason: String) {
        guard awaited != nil, !out.contains(seat) else { return }
        let entry = Value.object(["seat": .integer(seat), "reason": .string(reason)])
        fields["out"] = .list((fields["out"]?.list ?? []) + [entry])
        if seat == awaited { (awaited, fields["deadline"]) = (next(after: seat), nil) }
        if out.count + 1 >= seats.count { (awaited, fields["deadline"]) = (nil, nil) }
    }

    private var seats: [Int] { fields["seats"]?.integers ?? [] }
    private var out: [Int] { fields["out"]?.list?.compactMap { $0.object?["seat"]?.integer } ?? [] }

    private func next(after seat: Int) -> Int? {
        let playing = seats.filter { !out.contains($0) || $0 == seat }
        return playing.firstIndex(of: seat).map { playing[($0 + 1) % playing.count] }
    }
}
