import Cryptography
import JSON

@testable import Games
@testable import ReferenceModel

/// A random game that the hub's own and the model play side by side: whatever one of them says that the other does not
/// is noted, and the game ends there.
struct SideBySide<Played: Game> {
    var real: Played
    var model: any GameModel
    var words: RandomWords
    var now = 1_700_000_000_000
    /// What the two do not agree about; nil: nothing yet.
    var disagreement: String?
    var history: [String] = []
    /// How often each type of event has come.
    var events: [String: Int] = [:]
    /// Why each game has ended, and how often each refusal has come.
    var reasons: [String: Int] = [:]
    let players: [Seat]
    let computers: Set<Seat>
    /// How many of a thousand steps are somebody's leaving, and somebody's letting the time run out.
    private let (leaving, idling): (Int, Int)
    /// How many of ten flips know what has been seen.
    private let skill: Int

    /// Nil if it does not start; `disagreement` says why where only one of them refuses.
    init?(_ asked: Fields, number: Int, model: any GameModel.Type, note: (String) -> Void) {
        words = RandomWords(seed: SHA256.digest(of: "side by side \(Played.name) \(number) \(asked)"))
        // Where a turn that runs out is the end, it is rarer.
        let share = Played.seats.upperBound > 2 ? 1 : 20
        let (often, idle) = (words.number(below: 3), words.number(below: 3))
        (leaving, idling) = ([0, 5, 60][often] / share, [100, 100, 700][idle] / share)
        skill = [0, 2, 9][words.number(below: 3)]
        let most = min(Played.seats.upperBound, asked["seats"]?.integer ?? 8)
        let count = Played.seats.lowerBound + words.number(below: most - Played.seats.lowerBound + 1)
        var seats = (0..<most).map { Seat($0) }
        words.shuffle(&seats)
        players = seats.prefix(count).sorted()
        let chance = 2 + words.number(below: 6)
        var computers = Set<Seat>()
        for seat in players.dropFirst() where words.number(below: chance) == 0 { computers.insert(seat) }
        self.computers = computers
        let deal = RandomDeal(players, computers: computers, &words)
        let first = players[words.number(below: count)]
        do {
            // A room asks for no limit where one person plays.
            var options = try Played.options(asked)
            if options["turnTime"] == nil, count - computers.count == 1 { options["turnTime"] = 0 }
            let made = try Played.setup(options, players: count - computers.count, draw: &words)
            let seating: Fields = [
                "seats": .list(deal.seats(players, computers)), "first": .integer(first.rawValue),
            ]
            let dealing = JSON(seating.merging(["options": .object(made.options)]).merging(made.fields))
            try checkDealing(Played.name, dealing, asked: JSON(asked))
            let dealt = Played.isDealt ? made.dealt(from: deal.seed) : made
            let started: Fields = [
                "v": 1, "t": .integer(now), "type": "game-started", "number": .integer(1 + words.number(below: 9)),
                "options": .object(dealt.options),
            ]
            real = Played(
                setup: dealt, players: players, first: first, seed: Played.isDealt ? deal.seed : nil, at: now)
            self.model = try model.init(
                JSON(started.merging(seating).merging(dealt.fields)),
                Deal(serverSeed: Played.isDealt ? deal.serverSeed.bytes : nil, asked: JSON(asked)))
            compare("mode", self.model.mode, dealt.mode)
        } catch {
            note("\(Played.name) \(number) \(asked): \(error)")
            return nil
        }
    }

    // MARK: What happens

    mutating func play(mostSteps: Int) {
        follow(real.openingSteps(at: now), expected: model.opening(at: now), "the opening")
        var steps = 0
        while !model.isOver, disagreement == nil, steps < mostSteps {
            steps += 1
            step()
        }
    }

    private mutating func step() {
        compare("due", model.due, real.deadline)
        if let due = real.deadline, due <= now { return lapse() }
        for seat in players where words.number(below: 4) == 0 { judge(seat) }
        guard !model.isOver else { return }
        switch words.number(below: 1_000) {
        case 0..<50: sleep(for: 1 + words.number(below: 100_000))
        case 50..<100: now += words.number(below: 3_000)
        case 100..<130: comeBack(anybody)
        case 130..<(130 + leaving): leave(anybody)
        case 200..<(200 + idling): lapse()
        case 950..<955: helped(anybody)
        case 955..<956: endByRoom()
        default: command()
        }
    }

    private var anybody: Int { model.seats[Int(words.peek % UInt32(players.count))] }

    private mutating func lapse() {
        guard let due = real.deadline else { return }
        if due > now {
            compare("what is early", model.lapse(at: due - 1, gone: []).count, 0)
            now = due + (words.number(below: 3) == 0 ? words.number(below: 1_500) : 0)
        }
        follow(real.wakeSteps(at: now), expected: model.lapse(at: now, gone: []), "time")
    }

    private mutating func comeBack(_ seat: Int) {
        _ = words.next()
        guard !model.left.contains(seat) else { return }
        compare("away", model.away.contains(seat), real.isAway(Seat(seat)))
        guard case .events(let expected) = model.verdict(on: .here, by: seat, at: now, gone: []) else {
            return disagree("here is refused")
        }
        follow(real.actSteps(Seat(seat), at: now), expected: expected, "\(seat) is here")
    }

    private mutating func sleep(for span: Int) {
        now += span
        real.extendClock(by: span)
        model.apply(.clockExtended(ms: span), at: now)
        history.append("\(now) clock-extended \(span)")
        compareViews()
    }

    private mutating func helped(_ seat: Int) {
        _ = words.next()
        model.apply(words.number(below: 2) == 0 ? .seatHelped(seat: seat) : .seatReturned(seat: seat), at: now)
    }

    private mutating func leave(_ seat: Int) {
        _ = words.next()
        guard !model.left.contains(seat) else { return }
        let before = real
        let around = real.leaveSteps(Seat(seat), at: now)
        let expected = model.leaving(seat, reason: "left", at: now, gone: [])
        var index = 0
        for step in around.before { follow(step, expected, &index) }
        guard index < expected.count, case .playerLeft(let departure) = expected[index] else {
            return disagree("\(seat) leaves: \(around), expected \(expected)")
        }
        history.append("\(now) \(seat) leaves")
        real.applyLeaving(of: Seat(seat), at: now)
        model.apply(expected[index], at: now)
        index += 1
        compareViews()
        compare("a departure", [departure.result], named(real.results(at: now)).filter { $0.seat == seat })
        // Once no person is left the room ends the game: then it is nobody's turn any more.
        let isDeserted = players.allSatisfy { computers.contains($0) || model.left.contains($0.rawValue) }
        if !isDeserted { for step in around.after { follow(step, expected, &index) } }
        finish(expected, index, isDeserted && real.outcome == nil ? ("left", real.results(at: now)) : nil)
        if disagreement != nil { disagreement? += "; before: \(before.view)" }
    }

    private mutating func endByRoom() {
        let reason = ["restart", "closed", "left"][words.number(below: 3)]
        let ending = model.ending(reason: reason, at: now, gone: [])
        finish([ending], 0, (reason, reason == "restart" && !real.hasMoves ? [] : real.results(at: now)))
    }

    private mutating func command() {
        guard let seat = real.turn else { return lapse() }
        compare("turn", model.turn, seat.rawValue)
        comeBack(seat.rawValue)
        guard disagreement == nil else { return }
        let isSkilled = words.number(below: 10) < skill
        let good = isSkilled ? model.goodMove(Int(words.next())) : nil
        guard let move = good ?? model.someMove(Int(words.next())) else { return disagree("there is no move") }
        guard let events = judge(move, by: seat.rawValue) else { return disagree("\(move) is no move") }
        follow(events.real, expected: events.model, "\(move) by \(seat.rawValue)")
    }
}
