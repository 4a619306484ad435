import Cryptography
import JSON

@testable import Games

/// One random game as a room would run it: every event goes through the log's form into two folds, one that knows the
/// seed, and one of the shown parts only.
struct ContractPlay<Played: Game> {
    var live: Played
    var shown: PublicGame<Played>
    var words: RandomWords
    var now: Milliseconds
    let name: String
    let players: [Seat]
    let startedAt: Milliseconds
    /// Hub time that did not count.
    var outage: Milliseconds = 0
    var left: Set<Seat> = []
    /// The weakest computer of each seat. Computers play some of the games.
    var computers: [Seat: any SeatedComputer] = [:]
    /// Commands that were legal at some time, some of which are not at others.
    var seen: [Played.Command] = []
    var history: [GameStep] = []
    var log = PageLog()
    /// How many of a thousand steps are a player leaving, or a player letting the time run out.
    private let (leaving, idling): (Int, Int)

    /// Nil if the game does not start.
    init?(_ asked: Fields, number: Int, _ words: inout RandomWords, _ found: inout Findings) {
        name = "\(Played.name) \(number), options \(asked)"
        now = 1_700_000_000_000
        startedAt = now
        (leaving, idling) = ([0, 5, 40][words.number(below: 3)], [100, 100, 600][words.number(below: 3)])
        let counts = Array(Played.seats)
        let count = counts[(number + number / counts.count) % counts.count]
        var seats = (0..<Played.seats.upperBound).map { Seat($0) }
        words.shuffle(&seats)
        players = seats.prefix(count).sorted()
        let first = players[words.number(below: count)]
        let seed = SHA256.digest(of: "contract seed \(number)")
        guard let start = Self.start(asked, players: count, seed: seed, draw: &words) else {
            found.expect(false, .start, name)
            return nil
        }
        let setup = Played.Setup(options: start.options, fields: start.fields)
        let live = Played.started(
            options: start.options, fields: start.fields, players: players, first: first,
            seed: Played.isDealt ? seed : nil, at: startedAt)
        guard let setup, let live else {
            found.expect(false, .start, name)
            return nil
        }
        found.expect(
            GameContract.startNames.isDisjoint(with: start.fields.names), .names, "fields \(start.fields.names)")
        found.expect(!live.hasMoves, .begun, "\(name): there are moves at its start")
        self.live = live
        shown = PublicGame(setup: setup, players: players, first: first, at: startedAt)
        if words.number(below: 3) == 0, let level = Played.computerLevels.first {
            for seat in players {
                computers[seat] = Played.computer(
                    level: level, seat: seat, seed: SHA256.digest(of: "computer \(seat) \(number)"),
                    options: start.options, fields: start.fields, players: players, first: first, at: startedAt)
            }
        }
        self.words = words
        log.open(Played.self, asked)
        let seated = players.map {
            Value.object(["seat": .integer($0.rawValue), "player": .string("p\($0.rawValue)")])
        }
        let fields: Fields = [
            "number": 1, "options": .object(start.options), "seats": .list(seated), "first": .integer(first.rawValue),
        ]
        log.add("game-started", fields.merging(start.fields), at: now, view: live.roomView)
        compare("its start", &found)
    }

    /// The `options` and the game's own fields of `game-started`; nil if they cannot be read back as they were written.
    private static func start(_ asked: Fields, players: Int, seed: Digest, draw: inout RandomWords) -> (
        options: Fields, fields: Fields
    )? {
        do {
            let made = try Played.setup(Played.options(asked), players: players, draw: &draw)
            guard Played.Setup(options: made.options, fields: made.fields) == made else { return nil }
            let dealt = Played.isDealt ? made.dealt(from: seed) : made
            guard Played.Setup(options: dealt.options, fields: dealt.fields) == dealt else { return nil }
            return (dealt.options, dealt.fields)
        } catch { return nil }
    }

    var present: [Seat] { players.filter { !left.contains($0) } }

    mutating func playOut(mostSteps: Int, _ found: inout Findings) {
        record(live.opening(at: now), &found)
        var steps = 0
        while live.outcome == nil, !present.isEmpty, steps < mostSteps {
            steps += 1
            step(&found)
        }
        guard let outcome = live.outcome else {
            return found.expect(present.isEmpty, .end, "\(name) goes on after \(steps) steps: \(live.view)")
        }
        checkEnd(outcome, &found)
        log.end(outcome, at: now, view: live.roomView)
    }

    private mutating func step(_ found: inout Findings) {
        // A room does what is due before it listens to anyone.
        if let deadline = live.deadline, deadline <= now { return wait(&found) }
        checkTurn(&found)
        if words.number(below: 4) == 0 { checkCommands(&found) }
        if words.number(below: 4) == 0 { checkResults(live.results(at: now), &found) }
        switch words.number(below: 1_000) {
        case 0..<50: sleep(for: 1 + words.number(below: 100_000), &found)
        case 50..<100: now += words.number(below: 3_000)
        case 100..<130: act(present[words.number(below: present.count)], &found)
        case 130..<150: command(besides: true, by: present[words.number(below: present.count)], &found)
        case 150..<(150 + leaving): leave(present[words.number(below: present.count)], &found)
        case 200..<(200 + idling): wait(&found)
        default:
            let awaited = live.awaited.sorted()
            guard !awaited.isEmpty else { return wait(&found) }
            command(besides: false, by: awaited[words.number(below: awaited.count)], &found)
        }
    }

    /// Lets time pass until the next thing happens by itself, if anything does.
    private mutating func wait(_ found: inout Findings) {
        guard let deadline = live.deadline else { return }
        let early = live.wake(at: deadline - 1)
        found.expect(early.isEmpty, .deadline, "\(name): \(early) before the deadline")
        now = max(now, deadline)
        let events = live.wake(at: now)
        found.expect(!events.isEmpty, .deadline, "\(name): nothing happens")
        record(events, &found)
        found.expect(
            live.deadline.map { $0 > now } ?? true, .deadline, "\(name): it stands still after \(events)")
    }

    /// The hub does not run for so long.
    private mutating func sleep(for span: Milliseconds, _ found: inout Findings) {
        let before = live
        now += span
        outage += span
        live.extendClock(by: span)
        shown.extendClock(by: span)
        for seat in players { computers[seat]?.extendClock(by: span) }
        log.add("clock-extended", ["ms": .integer(span), "until": .integer(now)], at: now, view: live.roomView)
        found.expect(
            live.deadline == before.deadline.map { $0 + span }, .outage,
            "\(name): the deadline was \(before.deadline as Int?), \(span) ms later it is \(live.deadline as Int?)")
        found.expect(live.awaited == before.awaited && live.outcome == before.outcome, .outage, name)
        let (was, isNow) = (before.results(at: now - span), live.results(at: now))
        found.expect(was == isNow, .outage, "\(name): the results were \(was), \(span) ms later they are \(isNow)")
        compare("an outage", &found)
    }

    private mutating func act(_ seat: Seat, _ found: inout Findings) { record(live.act(seat, at: now), &found) }

    private mutating func leave(_ seat: Seat, _ found: inout Findings) {
        let before = snapshot
        let events = live.leave(seat, at: now)
        found.expect(snapshot == before, .judging, "\(name): a leaving")
        var gone = live
        gone.applyLeaving(of: seat, at: now)
        let result = gone.results(at: now).first { $0.seat == seat }
        record(events.before, &found)
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
        for other in players { computers[other]?.seeLeaving(of: seat, at: now) }
        left.insert(seat)
        log.leave(seat, result, at: now, view: live.roomView)
        compare("the leaving of \(seat)", &found)
        record(events.after, &found, isFirst: false)
    }

    /// A command of `seat`: a legal one, or one of `besides`, which needs no fields (to resign).
    private mutating func command(besides: Bool, by seat: Seat, _ found: inout Findings) {
        let back = live.act(seat, at: now)
        found.expect(live.isAway(seat) == !back.isEmpty, .away, "\(name): \(seat) does something: \(back)")
        record(back, &found)
        guard live.outcome == nil else { return }
        if besides {
            let plain = Self.plainCommands
            guard !plain.isEmpty else { return }
            // It may be refused at this point.
            do {
                let events = try live.decide(plain[words.number(below: plain.count)], by: seat, at: now)
                return record(events, &found)
            } catch { return }
        }
        if let move = computers[seat]?.move(hand: live.hand(of: seat), isStopped: { false }) {
            do {
                let command = try Played.decode(move)
                return record(try live.decide(command, by: seat, at: now), &found)
            } catch { return found.expect(false, .computers, "\(name): \(move): \(error)") }
        }
        let legal = live.legalCommands(for: seat)
        guard !legal.isEmpty else { return }
        do {
            let command = legal[words.number(below: legal.count)]
            record(try live.decide(command, by: seat, at: now), &found, isFirst: back.isEmpty)
        } catch { found.expect(false, .taken, "\(name): \(error)") }
    }

    /// Commands that need no fields.
    static var plainCommands: [Played.Command] {
        Played.Command.Kind.allCases.compactMap { kind in
            do { return try Played.Command(kind, fields: [:]) } catch { return nil }
        }
    }

    /// All that anyone can see of the game.
    var snapshot: Snapshot { Snapshot(of: live, at: now) }

    struct Snapshot: Equatable {
        let view: Fields
        let awaited: Set<Seat>
        let deadline: Milliseconds?
        let outcome: Outcome?
        let results: [PlayerResult]

        init(of game: Played, at now: Milliseconds) {
            (view, awaited, deadline) = (game.view, game.awaited, game.deadline)
            (outcome, results) = (game.outcome, game.results(at: now))
        }
    }

    func compare(_ after: String, _ found: inout Findings) {
        let (own, others) = (snapshot, Snapshot(of: shown.state, at: now))
        found.expect(own == others, .folds, "\(name), after \(after): \(own) and \(others)")
    }
}

extension Game {
    /// The view as its room shows it.
    var roomView: Fields { view.merging(["awaited": .integers(awaited.map(\.rawValue).sorted())]) }

    /// A command as it comes over the connection.
    static func decode(_ step: GameStep) throws -> Command {
        guard let kind = Command.Kind(rawValue: step.type) else {
            throw Rejection("unknown-type", "\(step.type) is no command.")
        }
        return try Command(kind, fields: step.fields)
    }
}
