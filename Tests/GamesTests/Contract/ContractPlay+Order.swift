import JSON

@testable import Games

// What holds for the order of events: an altered log may say at any time what has come before, or what could come in
// another state.
extension ContractPlay {
    /// An event by its kind and seat. (Its other fields may depend on when it comes.)
    struct Possible: Hashable {
        let type: String
        let seat: Int?

        init(_ step: GameStep) { (type, seat) = (step.type, step.fields["seat"]?.integer) }
    }

    /// Between `game-started` and the events of the opening nothing else is read.
    mutating func recordOpening(_ found: inout Findings) {
        let opening = live.opening(at: now)
        var rest = live
        for event in opening {
            let next = GameStep(type: event.type, fields: rest.fields(of: event))
            for step in plainSteps + stepsAfter(opening) where Possible(step) != Possible(next) {
                let read = rest.event(type: step.type, fields: step.fields)
                found.expect(read == nil, .opening, "\(step.brief) is read before \(next.brief)")
            }
            rest.apply(event, at: now)
        }
        search?.checkDeals(&found)
        record(opening, &found)
        if live.outcome == nil { checkOutOfOrder(&found) }
    }

    /// What a player may do at once after the opening.
    private func stepsAfter(_ opening: [Played.Event]) -> [GameStep] {
        var game = live
        for event in opening { game.apply(event, at: now) }
        return firstEvents(of: game).map { GameStep(type: $0.type, fields: game.fields(of: $0)) }
    }

    /// An event that was already in this game comes again, or one that says only who it is about.
    mutating func checkOutOfOrder(_ found: inout Findings) {
        let old = history.isEmpty ? [] : (0..<4).map { _ in history[words.number(below: history.count)] }
        lazy var possible = possibleEvents()
        for step in old + history.suffix(1) + plainSteps {
            guard let read = live.event(type: step.type, fields: step.fields) else { continue }
            survive(read)
            let last = history.last.map { "after \($0.brief)" } ?? "first"
            found.expect(possible.contains(Possible(step)), .order, "\(step.brief) is read \(last)")
        }
    }

    /// Events of every kind and seat, with nothing but the fields of a `turn`.
    private var plainSteps: [GameStep] {
        Played.eventTypes.flatMap { type in
            players.flatMap { seat -> [GameStep] in
                let fields: Fields = ["seat": .integer(seat.rawValue)]
                let timed = fields.merging(["deadline": .integer(now + 10_000)])
                return [GameStep(type: type, fields: fields), GameStep(type: type, fields: timed)]
            }
        }
    }

    /// What may come next: by any player's command, by itself, or with a player coming back or leaving.
    func possibleEvents() -> Set<Possible> {
        Set(firstEvents(of: live).map { Possible(GameStep(type: $0.type, fields: live.fields(of: $0))) })
    }

    private func firstEvents(of game: Played) -> [Played.Event] {
        var events = Array(game.wake(at: max(now, game.deadline ?? now)).prefix(1))
        for seat in present {
            events += game.act(seat, at: now).prefix(1) + game.leave(seat, at: now).before.prefix(1)
            for command in game.legalCommands(for: seat) + Self.plainCommands {
                // Not every command is possible in each state.
                do { events += try game.decide(command, by: seat, at: now).prefix(1) } catch { continue }
            }
        }
        return events
    }
}
