import JSON

@testable import Games

/// All that can be seen of a game from outside, the hands included.
struct Snapshot<Played: Game>: Equatable {
    let view: Fields
    let awaited: Set<Seat>
    let deadline: Milliseconds?
    let outcome: Outcome?
    let results: [PlayerResult]
    /// Of each of the asked seats that has one.
    var hands: [Seat: Fields] = [:]

    init(of game: Played, at now: Milliseconds, handsOf seats: [Seat] = []) {
        (view, awaited, deadline) = (game.view, game.awaited, game.deadline)
        (outcome, results) = (game.outcome, game.results(at: now))
        for seat in seats { hands[seat] = game.hand(of: seat) }
    }

    /// What everyone sees.
    var withoutHands: Snapshot {
        var all = self
        all.hands = [:]
        return all
    }

    private var fields: Fields {
        var fields: Fields = [
            "view": .object(view), "awaited": .integers(awaited.map(\.rawValue).sorted()),
            "results": .list(results.map { .object($0.asFields) }),
            "hands": .object(
                Fields(hands.sorted { $0.key < $1.key }.map { ("\($0.key.rawValue)", .object($0.value)) })),
        ]
        fields["deadline"] = deadline.map { .integer($0) }
        fields["outcome"] = outcome.map { .object($0.asFields) }
        return fields
    }

    /// The first places where this differs from `other`, in words.
    func differences(from other: Snapshot) -> String {
        Value.object(fields).differences(from: .object(other.fields), at: "").listed()
    }
}
