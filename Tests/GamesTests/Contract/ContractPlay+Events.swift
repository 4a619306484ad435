import Cryptography
import JSON

@testable import Games

// What holds for each event, and for those that no one gave.
extension ContractPlay {
    /// The events of one act. `isFirst`: nothing comes before them in their commit.
    mutating func record(_ events: [Played.Event], _ found: inout Findings, isFirst: Bool = true) {
        for (index, event) in events.enumerated() {
            let step = GameStep(type: event.type, fields: live.fields(of: event))
            found.expect(live.outcome == nil, .late, "\(step.brief) comes after the end")
            found.expect(no: GameContract.lineNames, in: step.fields.names, of: step.type)
            // With what is sealed of it, and with only its digest.
            var (known, open) = (step, step)
            known.sealed = live.sealedFields(of: event).map { .known($0, salt: []) }
            open.sealed = known.sealed.map { .committed($0.digest) }
            checkReading(event, known, open, &found)
            let shownEvent = shown.state.event(open) ?? event
            if words.number(below: 4) == 0 { checkAltered(step, isFirst: isFirst && index == 0, &found) }
            if isFirst, index == 0, !history.isEmpty, words.number(below: 4) == 0 { checkOutOfOrder(&found) }
            if words.number(below: 4) == 0 { checkCopy(event, &found) }
            live.apply(event, at: now)
            shown.apply(shownEvent, at: now)
            for seat in players { computers[seat]?.see(open, at: now) }
            history.append(step)
            log.add(step.type, step.fields, at: now, view: live.roomView)
            handsChanged(&found)
            search?.apply(known, at: now, like: live)
            compare("after \(step.brief)", &found)
        }
        guard live.outcome == nil else { return }
        for seat in live.awaited.sorted() {
            log.addMoves(live.legalSteps(for: seat), of: seat, awaited: live.awaited, hand: live.hand(of: seat))
        }
    }

    private func checkReading(
        _ event: Played.Event, _ known: GameStep, _ open: GameStep, _ found: inout Findings
    ) {
        for (game, step, which) in [
            (live, known, "the game"), (shown.state, open, "a fold that does not know the seed"),
        ] {
            let read = game.event(step)
            let isSame = read.map { live.fields(of: $0).isSame(as: step.fields) } == true
            let what = isSame ? "an event that its fields do not tell apart" : read.map { brief([$0]) } ?? "no event"
            // What is sealed is not known in that fold, so only the fields are compared.
            let isRead = step.sealed?.bytes == nil && step.sealed != nil ? isSame : read == event
            found.expect(isRead, .reading, "\(which) reads \(step.brief) as \(what)")
        }
    }

    /// Changes to a copy must not affect the game.
    private func checkCopy(_ event: Played.Event, _ found: inout Findings) {
        let before = snapshot
        var copy = live
        copy.apply(event, at: now)
        copy.extendClock(by: 1_000)
        found.expect(
            snapshot == before, .judging,
            "\(snapshot.differences(from: before)) once \(brief([event])) is applied to a copy")
    }

    /// The event as in an altered log.
    private func checkAltered(_ step: GameStep, isFirst: Bool, _ found: inout Findings) {
        for name in step.fields.names {
            for value in [nil] + others(than: step.fields[name]) {
                var fields = step.fields
                fields[name] = value
                let altered = GameStep(type: step.type, fields: fields)
                guard let read = live.event(type: step.type, fields: fields) else { continue }
                let written = live.fields(of: read)
                found.expect(
                    written.isSame(as: fields), .fields, "\(altered.brief) is read as \(brief([read]))")
                survive(read)
                guard name == "seat" else { continue }
                let canCome = isFirst && possibleEvents().contains(Possible(altered))
                found.expect(canCome, .order, "\(altered.brief) is read where \(step.brief) comes")
            }
        }
    }

    /// `apply` never traps on what `event` accepted: it would end the test itself.
    func survive(_ event: Played.Event) {
        var copy = live
        copy.apply(event, at: now)
        copy.extendClock(by: 86_400_000)
        _ = (Snapshot(of: copy, at: now), copy.wake(at: now))
        for seat in players { _ = (copy.legalCommands(for: seat), copy.act(seat, at: now), copy.hand(of: seat)) }
    }

    /// Values of other kinds, and of the same kind but further off.
    private func others(than value: Value?) -> [Value?] {
        var values: [Value?] = [
            .null, .string("?"), .bool(true), .integer(-1), .integer(.max), .integer(.min), .fraction(0.5), .list([]),
            .list([.integer(0)]), .object([:]), .object(["0": "?"]),
        ]
        if let number = value?.integer {
            values += (0..<Played.seats.upperBound + 1).map { .integer($0) } + [.integer(number + 1)]
        }
        return values.filter { $0 != value }
    }
}

extension Fields {
    /// The same names with the same values, in any order.
    func isSame(as other: Fields) -> Bool {
        count == other.count && zip(names, values).allSatisfy { other[$0] == $1 }
    }
}
