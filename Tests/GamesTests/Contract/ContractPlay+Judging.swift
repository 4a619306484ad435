import Cryptography

@testable import Games

// What holds for commands, turns, results and the end.
extension ContractPlay {
    func checkTurn(_ found: inout Findings) {
        for seat in live.awaited.sorted() {
            found.expect(present.contains(seat), .turns, "it waits for \(seat.brief), which does not play")
            found.expect(
                !live.legalCommands(for: seat).isEmpty, .turns,
                "\(seat.brief) has no legal command though the game waits for it")
        }
        if live.awaited.isEmpty {
            found.expect(live.deadline != nil, .turns, "it waits for no seat and has no deadline")
        }
        for seat in players where !live.awaited.contains(seat) {
            found.expect(
                live.legalCommands(for: seat).isEmpty, .turns,
                "\(seat.brief) has legal commands though the game does not wait for it")
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
        found.expect(snapshot == before, .judging, "\(snapshot.differences(from: before)) once commands are judged")
    }

    private func checkTaken(_ command: Played.Command, by seat: Seat, _ found: inout Findings) {
        do {
            let sent = GameStep(type: command.type, fields: command.fields)
            let received = try Played.decode(sent)
            found.expect(received == command, .taken, "\(sent.brief) is received as \(brief(received))")
            let events = try live.decide(command, by: seat, at: now)
            found.expect(!events.isEmpty, .taken, "\(sent.brief) of \(seat.brief) has no events")
            let again = try live.decide(command, by: seat, at: now)
            found.expect(
                again == events, .judging,
                "\(sent.brief) has the events \(brief(events)), and judged again \(brief(again))")
        } catch {
            found.expect(false, .taken, "\(brief(command)) of \(seat.brief) is refused as \(brief(error))")
        }
    }

    /// A command without effect is as good as refused.
    private func checkRefused(_ command: Played.Command, by seat: Seat, _ found: inout Findings) {
        do {
            let events = try live.decide(command, by: seat, at: now)
            found.expect(events.isEmpty, .refused, "\(brief(command)) of \(seat.brief) has the events \(brief(events))")
        } catch {}
    }

    private mutating func sample<Item>(of items: [Item], _ count: Int) -> [Item] {
        items.count <= count ? items : (0..<count).map { _ in items[words.number(below: items.count)] }
    }

    func checkResults(_ results: [PlayerResult], _ found: inout Findings) {
        func expect(_ holds: Bool, _ what: String) {
            let shown = results.map { $0.asFields.description }
            found.expect(holds, .results, "\(what) in the results \(shown.listed(most: 4))")
        }
        expect(results.map(\.seat) == players, "there is not one for each player in the order of turns")
        let places = results.compactMap(\.place)
        expect(places.isEmpty || places.count == results.count, "some players have places and some have none")
        expect(
            places.allSatisfy { place in place == 1 + places.count { $0 < place } },
            "a place is not one more than the number of better places")
        let span = now - startedAt - outage
        expect(
            results.allSatisfy { (0...span).contains($0.time) }, "a player has played longer than the game has lasted")
        expect(results.allSatisfy { $0.isLeftEarly == left.contains($0.seat) }, "isLeftEarly does not fit who has left")
        expect(
            results.allSatisfy { $0.figures.names == results[0].figures.names },
            "the figures have not the same names for all")
        expect(
            results.allSatisfy { GameContract.resultNames.isDisjoint(with: $0.figures.names) },
            "a figure has a name that the room uses")
    }

    mutating func checkEnd(_ outcome: Outcome, _ found: inout Findings) {
        checkResults(outcome.results, &found)
        found.expect(live.hasMoves || outcome.reason != .finished, .begun, "it is finished without a move")
        found.expect(
            live.awaited.isEmpty && live.deadline == nil, .late, "it still waits for a seat or a deadline after its end"
        )
        for old in history.suffix(40) {
            let read = live.event(type: old.type, fields: old.fields)
            found.expect(read == nil, .late, "\(old.brief) is read after the end")
        }
        for seat in players {
            found.expect(live.legalCommands(for: seat).isEmpty, .late, "\(seat.brief) has legal commands after the end")
            found.expect(live.act(seat, at: now).isEmpty, .late, "\(seat.brief) has events of acting after the end")
            found.expect(!live.isAway(seat), .late, "\(seat.brief) is away after the end")
            for command in sample(of: seen, 10) + Self.plainCommands { checkRefused(command, by: seat, &found) }
        }
        found.expect(live.wake(at: now + 10_000_000).isEmpty, .late, "something happens by itself after the end")
    }
}
