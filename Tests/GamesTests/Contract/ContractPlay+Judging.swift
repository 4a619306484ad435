import Cryptography

@testable import Games

// What holds for commands, turns, results and the end.
extension ContractPlay {
    func checkTurn(_ found: inout Findings) {
        for seat in live.awaited.sorted() {
            found.expect(present.contains(seat), .turns, "\(name): it waits for \(seat), who does not play")
            found.expect(
                !live.legalCommands(for: seat).isEmpty, .turns, "\(name): \(seat) has no legal command: \(live.view)")
        }
        if live.awaited.isEmpty {
            found.expect(live.deadline != nil, .turns, "\(name): it waits for nobody and nothing: \(live.view)")
        }
        for seat in players where !live.awaited.contains(seat) {
            found.expect(
                live.legalCommands(for: seat).isEmpty, .turns, "\(name): \(seat) has legal commands out of turn")
        }
    }

    mutating func checkCommands(_ found: inout Findings) {
        let before = snapshot
        for seat in present {
            let legal = live.legalCommands(for: seat)
            for command in sample(of: legal, 6) {
                if seen.count < 200, !seen.contains(command) { seen.append(command) }
                checkTaken(command, by: seat, &found)
            }
            for command in sample(of: seen, 10) where !legal.contains(command) {
                checkRefused(command, by: seat, &found)
            }
        }
        _ = (live.wake(at: now), live.leave(present[0], at: now), live.act(present[0], at: now))
        found.expect(snapshot == before, .judging, "\(name): commands judged")
    }

    private func checkTaken(_ command: Played.Command, by seat: Seat, _ found: inout Findings) {
        do {
            let sent = GameStep(type: command.type, fields: command.fields)
            let received = try Played.decode(sent)
            found.expect(received == command, .taken, "\(name): \(sent) is taken for \(received)")
            let events = try live.decide(command, by: seat, at: now)
            found.expect(!events.isEmpty, .taken, "\(name): \(sent) leads to nothing")
            let again = try live.decide(command, by: seat, at: now)
            found.expect(again == events, .judging, "\(name): \(sent) leads to \(events), and then to \(again)")
        } catch { found.expect(false, .taken, "\(name): \(command) of \(seat): \(error)") }
    }

    /// A command without effect is as good as refused.
    private func checkRefused(_ command: Played.Command, by seat: Seat, _ found: inout Findings) {
        do {
            let events = try live.decide(command, by: seat, at: now)
            found.expect(events.isEmpty, .refused, "\(name): \(command) of \(seat) leads to \(events)")
        } catch {}
    }

    private mutating func sample<Item>(of items: [Item], _ count: Int) -> [Item] {
        items.count <= count ? items : (0..<count).map { _ in items[words.number(below: items.count)] }
    }

    func checkResults(_ results: [PlayerResult], _ found: inout Findings) {
        func expect(_ holds: Bool, _ what: String) {
            found.expect(holds, .results, "\(name): \(what): \(results)")
        }
        expect(results.map(\.seat) == players, "one for each who plays, in the order of turns")
        let places = results.compactMap(\.place)
        expect(places.isEmpty || places.count == results.count, "places for all or for none")
        expect(places.allSatisfy { place in place == 1 + places.count { $0 < place } }, "equal ones share a place")
        let span = now - startedAt - outage
        expect(results.allSatisfy { (0...span).contains($0.time) }, "nobody played longer than there was time")
        expect(results.allSatisfy { $0.isLeftEarly == left.contains($0.seat) }, "who left early")
        expect(results.allSatisfy { $0.figures.names == results[0].figures.names }, "the same figures for all")
        expect(results.allSatisfy { GameContract.resultNames.isDisjoint(with: $0.figures.names) }, "names of its own")
    }

    mutating func checkEnd(_ outcome: Outcome, _ found: inout Findings) {
        checkResults(outcome.results, &found)
        found.expect(live.hasMoves || outcome.reason != .finished, .begun, "\(name): it is finished without a move")
        found.expect(live.awaited.isEmpty && live.deadline == nil, .late, "\(name): it waits for something at its end")
        for old in history.suffix(40) {
            let read = live.event(type: old.type, fields: old.fields)
            found.expect(read == nil, .late, "\(name): \(old) is read after the end")
        }
        for seat in players {
            found.expect(live.legalCommands(for: seat).isEmpty, .late, "\(name): \(seat) has legal commands at the end")
            found.expect(live.act(seat, at: now).isEmpty, .late, "\(name): \(seat) acts at the end")
            found.expect(!live.isAway(seat), .late, "\(name): \(seat) is away at the end")
            for command in sample(of: seen, 10) + Self.plainCommands { checkRefused(command, by: seat, &found) }
        }
        found.expect(live.wake(at: now + 10_000_000).isEmpty, .late, "\(name): something happens at the end")
    }
}
