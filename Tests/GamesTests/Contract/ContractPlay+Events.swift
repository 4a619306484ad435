import Cryptography
import JSON

@testable import Games

// What holds for each event, and for those that no one gave.
extension ContractPlay {
    /// The events of one act. `isFirst`: nothing comes before them in their commit.
    mutating func record(_ events: [Played.Event], _ found: inout Findings, isFirst: Bool = true) {
        for (index, event) in events.enumerated() {
            let step = GameStep(type: event.type, fields: live.fields(of: event))
            found.expect(live.outcome == nil, .late, "\(name): \(step) stands behind the end")
            found.expect(
                GameContract.lineNames.isDisjoint(with: step.fields.names), .names, "fields of \(step)")
            let read = live.event(type: step.type, fields: step.fields)
            let readByAll = shown.state.event(type: step.type, fields: step.fields)
            found.expect(
                read == event && readByAll == event, .reading,
                "\(name): \(step) is read as \(read as Played.Event?) and \(readByAll as Played.Event?)")
            if words.number(below: 4) == 0 { checkAltered(step, isFirst: isFirst && index == 0, &found) }
            if isFirst, index == 0, words.number(below: 4) == 0 { checkStale(&found) }
            checkCopy(event, &found)
            live.apply(event, at: now)
            shown.apply(event, at: now)
            for seat in players { computers[seat]?.see(step, at: now) }
            history.append(step)
            log.add(step.type, step.fields, at: now, view: live.roomView)
            compare("\(step)", &found)
        }
        guard live.outcome == nil else { return }
        for seat in live.awaited.sorted() {
            log.addMoves(live.legalSteps(for: seat), of: seat, awaited: live.awaited)
        }
    }

    /// Changes to a copy must not affect the game.
    private func checkCopy(_ event: Played.Event, _ found: inout Findings) {
        let before = snapshot
        var copy = live
        copy.apply(event, at: now)
        copy.extendClock(by: 1_000)
        found.expect(snapshot == before, .judging, "\(name): \(event), applied to a copy")
    }

    /// The event as in an altered log.
    private func checkAltered(_ step: GameStep, isFirst: Bool, _ found: inout Findings) {
        for name in step.fields.names {
            for value in [nil] + others(than: step.fields[name]) {
                var fields = step.fields
                fields[name] = value
                guard let read = live.event(type: step.type, fields: fields) else { continue }
                let written = live.fields(of: read)
                found.expect(
                    written.isSame(as: fields), .fields,
                    "\(self.name): \(step.type) \(fields) is read as \(written)")
                survive(read)
                guard name == "seat" else { continue }
                let canCome = isFirst && canComeFirst(read)
                found.expect(canCome, .order, "\(self.name): \(step.type) \(fields), of another seat")
            }
        }
    }

    /// An event repeats that was already in this game. If it changes nothing it does no harm.
    private mutating func checkStale(_ found: inout Findings) {
        guard !history.isEmpty else { return }
        for _ in 0..<4 {
            let old = history[words.number(below: history.count)]
            guard let read = live.event(type: old.type, fields: old.fields) else { continue }
            survive(read)
            var again = live
            again.apply(read, at: now)
            let changesNothing = Snapshot(of: again, at: now) == snapshot
            found.expect(
                changesNothing || canComeFirst(read), .order, "\(name): \(old), once more")
        }
    }

    /// `apply` never traps on what `event` accepted: it would end the test itself.
    private func survive(_ event: Played.Event) {
        var copy = live
        copy.apply(event, at: now)
        copy.extendClock(by: 86_400_000)
        _ = (Snapshot(of: copy, at: now), copy.wake(at: now))
        for seat in players { _ = (copy.legalCommands(for: seat), copy.act(seat, at: now)) }
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

    /// Whether an event of this kind and seat may come next: by any player's command, by itself, or with a player
    /// coming back or leaving. (Its other fields may depend on when it comes.)
    private func canComeFirst(_ event: Played.Event) -> Bool {
        var events = live.wake(at: max(now, live.deadline ?? now)).prefix(1)
        for seat in present {
            events += live.act(seat, at: now).prefix(1) + live.leave(seat, at: now).before.prefix(1)
            for command in live.legalCommands(for: seat) + Self.plainCommands {
                do { events += try live.decide(command, by: seat, at: now).prefix(1) } catch { continue }
            }
        }
        let seat = live.fields(of: event)["seat"]
        return events.contains { $0.type == event.type && live.fields(of: $0)["seat"] == seat }
    }
}

extension Fields {
    /// The same names with the same values, in any order.
    func isSame(as other: Fields) -> Bool {
        count == other.count && zip(names, values).allSatisfy { other[$0] == $1 }
    }
}
