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
    /// The hands after the latest event.
    var hands: [Seat: Fields] = [:]
    var search: HandSearch<Played>?
    /// How many of a thousand steps are a player leaving, or a player letting the time run out.
    private let (leaving, idling): (Int, Int)

    /// Nil if the game does not start.
    init?(_ asked: Fields, number: Int, _ words: inout RandomWords, _ found: inout Findings) {
        now = 1_700_000_000_000
        startedAt = now
        (leaving, idling) = ([0, 5, 100][words.number(below: 3)], [100, 100, 600][words.number(below: 3)])
        let counts = Array(Played.seats.lowerBound...Played.seatCount(asked))
        let count = counts[(number + number / counts.count) % counts.count]
        var seats = (0..<Played.seatCount(asked)).map { Seat($0) }
        words.shuffle(&seats)
        players = seats.prefix(count).sorted()
        let first = players[words.number(below: count)]
        let seed = SHA256.digest(of: "contract seed \(number)")
        guard let setup = Self.setup(asked, players: count, seed: seed, draw: &words, &found) else { return nil }
        let (options, fields) = (setup.dealt.options, setup.dealt.fields)
        let live = Played.started(
            options: options, fields: fields, players: players, first: first,
            seed: Played.isDealt ? seed : nil, at: startedAt)
        guard let live else {
            found.expect(false, .start, "no game can be made of the options and fields of game-started")
            return nil
        }
        found.expect(no: GameContract.startNames, in: fields.names, of: "game-started")
        found.expect(!live.hasMoves, .begun, "there are moves at its start")
        self.live = live
        shown = PublicGame(setup: setup.dealt, players: players, first: first, at: startedAt)
        if words.number(below: 3) == 0, let level = Played.computerLevels.first {
            for seat in players {
                computers[seat] = Played.computer(
                    level: level, seat: seat, seed: SHA256.digest(of: "computer \(seat) \(number)"),
                    options: options, fields: fields, players: players, first: first, at: startedAt)
            }
        }
        self.words = words
        if number == 0, Played.isDealt {
            search = HandSearch(setup.made, players: players, first: first, at: startedAt, like: live, fields: fields)
        }
        log.open(Played.self, asked)
        let seated = players.map {
            Value.object(["seat": .integer($0.rawValue), "player": .string("p\($0.rawValue)")])
        }
        let started: Fields = [
            "number": 1, "options": .object(options), "seats": .list(seated), "first": .integer(first.rawValue),
        ]
        log.add("game-started", started.merging(fields), at: now, view: live.roomView)
        compare("at its start", &found)
    }

    /// The setup before and after dealing; nil if either cannot be read back as it was written.
    private static func setup(
        _ asked: Fields, players: Int, seed: Digest, draw: inout RandomWords, _ found: inout Findings
    ) -> (made: Played.Setup, dealt: Played.Setup)? {
        do {
            let made = try Played.setup(Played.options(asked), players: players, draw: &draw)
            let dealt = Played.isDealt ? made.dealt(from: seed) : made
            for setup in [made, dealt] {
                let (options, fields) = (setup.options, setup.fields)
                guard let read = Played.Setup(options: options, fields: fields) else {
                    found.expect(false, .start, "the options \(options.brief) and fields \(fields.brief) are not read")
                    return nil
                }
                let readBack: Fields = ["options": .object(read.options), "fields": .object(read.fields)]
                let differences = Value.object(readBack).differences(
                    from: .object(["options": .object(options), "fields": .object(fields)]), at: "")
                let what = differences.isEmpty ? "its setup differs in nothing that is shown" : differences.listed()
                found.expect(read == setup, .start, "\(what) once it is read from game-started")
                guard read == setup else { return nil }
            }
            return (made, dealt)
        } catch {
            found.expect(false, .start, "its options are refused as \(brief(error))")
            return nil
        }
    }

    var present: [Seat] { players.filter { !left.contains($0) } }

    mutating func playOut(mostSteps: Int, _ found: inout Findings) {
        recordOpening(&found)
        var steps = 0
        while live.outcome == nil, !present.isEmpty, steps < mostSteps {
            steps += 1
            step(&found)
        }
        guard let outcome = live.outcome else {
            return found.expect(present.isEmpty, .end, "the game has not ended after \(steps) steps")
        }
        checkEnd(outcome, &found)
        search?.conclude(&found)
        log.end(outcome, at: now, view: live.roomView)
    }

    private mutating func step(_ found: inout Findings) {
        // A room does what is due before it listens to anyone.
        if let deadline = live.deadline, deadline <= now { return wait(&found) }
        checkHands("without an event", &found)
        checkTurn(&found)
        if words.number(below: 4) == 0 { checkCommands(&found) }
        if words.number(below: 4) == 0 { checkResults(live.results(at: now), &found) }
        switch words.number(below: 1_000) {
        case 0..<50: sleep(for: 1 + words.number(below: 100_000), &found)
        case 50..<100: now += words.number(below: 3_000)
        case 100..<130: act(present[words.number(below: present.count)], &found)
        case 130..<150: command(besides: true, by: present[words.number(below: present.count)], &found)
        case 150..<(150 + leaving):
            let seats = words.number(below: 2) == 0 ? live.awaited.sorted() : present
            leave(seats.isEmpty ? present[0] : seats[words.number(below: seats.count)], &found)
        case 300..<(300 + idling): wait(&found)
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
        found.expect(early.isEmpty, .deadline, "\(brief(early)) comes 1 ms before the deadline")
        now = max(now, deadline)
        let events = live.wake(at: now)
        found.expect(!events.isEmpty, .deadline, "nothing happens at the deadline")
        record(events, &found)
        found.expect(
            live.deadline.map { $0 > now } ?? true, .deadline,
            "the deadline has not moved after \(brief(events))")
    }

    /// The hub does not run for so long.
    private mutating func sleep(for span: Milliseconds, _ found: inout Findings) {
        let before = live
        now += span
        outage += span
        live.extendClock(by: span)
        shown.extendClock(by: span)
        search?.extendClock(by: span)
        for seat in players { computers[seat]?.extendClock(by: span) }
        log.add("clock-extended", ["ms": .integer(span), "until": .integer(now)], at: now, view: live.roomView)
        found.expect(
            live.deadline == before.deadline.map { $0 + span }, .outage,
            "the deadline was \(time(before.deadline)), and is \(time(live.deadline)) after an outage of \(span) ms")
        let old = Snapshot(of: before, at: now - span)
        let new = Snapshot(of: live, at: now)
        found.expect(
            new.awaited == old.awaited && new.outcome == old.outcome && new.results == old.results, .outage,
            "after an outage of \(span) ms, \(new.differences(from: old))")
        checkHands("after an outage", &found)
        compare("after an outage", &found)
    }

    private mutating func act(_ seat: Seat, _ found: inout Findings) { record(live.act(seat, at: now), &found) }

    private mutating func leave(_ seat: Seat, _ found: inout Findings) {
        let before = snapshot
        let events = live.leave(seat, at: now)
        found.expect(snapshot == before, .judging, "\(snapshot.differences(from: before)) once \(seat.brief) may leave")
        var gone = live
        gone.applyLeaving(of: seat, at: now)
        let result = gone.results(at: now).first { $0.seat == seat }
        record(events.before, &found)
        live.applyLeaving(of: seat, at: now)
        shown.applyLeaving(of: seat, at: now)
        search?.applyLeaving(of: seat, at: now)
        for other in players { computers[other]?.seeLeaving(of: seat, at: now) }
        left.insert(seat)
        log.leave(seat, result, at: now, view: live.roomView)
        handsChanged(&found)
        compare("after \(seat.brief) has left", &found)
        record(events.after, &found, isFirst: false)
    }

    /// A command of `seat`: a legal one, or one of `besides`, which needs no fields (to resign).
    private mutating func command(besides: Bool, by seat: Seat, _ found: inout Findings) {
        let back = live.act(seat, at: now)
        found.expect(
            live.isAway(seat) == !back.isEmpty, .away,
            "\(seat.brief) is \(live.isAway(seat) ? "away" : "not away"), and acting gives \(brief(back))")
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
            } catch {
                return found.expect(false, .computers, "\(move.brief) of a computer is refused as \(brief(error))")
            }
        }
        let legal = live.legalCommands(for: seat)
        guard !legal.isEmpty else { return }
        let command = legal[words.number(below: legal.count)]
        do {
            record(try live.decide(command, by: seat, at: now), &found, isFirst: back.isEmpty)
        } catch {
            found.expect(false, .taken, "\(brief(command)) of \(seat.brief) is refused as \(brief(error))")
        }
    }

    /// Commands that need no fields.
    static var plainCommands: [Played.Command] {
        Played.Command.Kind.allCases.compactMap { kind in
            do { return try Played.Command(kind, fields: [:]) } catch { return nil }
        }
    }

    var snapshot: Snapshot<Played> { Snapshot(of: live, at: now, handsOf: players) }

    /// Both folds show the same.
    func compare(_ place: String, _ found: inout Findings) {
        let (own, others) = (snapshot.withoutHands, Snapshot(of: shown.state, at: now))
        found.expect(
            own == others, .folds,
            "\(place), \(own.differences(from: others)) as in a fold that does not know the seed")
        found.expect(no: GameContract.viewNames, in: own.view.names, of: "the view")
    }

    // In words.

    func brief(_ events: [Played.Event]) -> String {
        events.isEmpty ? "no event" : events.map { GameStep(type: $0.type, fields: live.fields(of: $0)).brief }.listed()
    }
    func brief(_ command: Played.Command) -> String { GameStep(type: command.type, fields: command.fields).brief }
    static func brief(_ error: any Error) -> String { (error as? Rejection)?.code ?? "\(error)" }
    func brief(_ error: any Error) -> String { Self.brief(error) }
    private func time(_ deadline: Milliseconds?) -> String { deadline.map { "\($0 - startedAt) ms" } ?? "none" }
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
