import JSON

@testable import Games

/// Options to play a game with, so that each value is played with at least once. A game says in its refusals what would
/// fit: each option's range or choices.
struct OptionSearch {
    private let game: any Game.Type
    private(set) var sets: [Fields] = []

    init(_ game: any Game.Type) { self.game = game }

    /// Adds `asked` if the game accepts it.
    mutating func add(_ asked: Fields) {
        if refusal(of: asked) == nil, !sets.contains(where: { $0.isSame(as: asked) }) { sets.append(asked) }
    }

    /// Adds `asked` if it has a value that has not been asked for.
    mutating func addIfNew(_ asked: Fields) {
        if zip(asked.names, asked.values).contains(where: { !has($0, $1) }) { add(asked) }
    }

    /// Adds the ends of each range, and all choices. One game tries values of several options, where
    /// the game accepts them together.
    mutating func addAllValues() {
        let (start, names) = (sets.count, refusal(of: ["no such option": 0])?["options"]?.strings ?? [])
        // Games are played with all numbers of seats anyway.
        for name in names where name != "seats" {
            for value in values(refusal(of: [name: .object([:])]) ?? [:]) where !has(name, value) {
                let single: Fields = [name: value]
                let place = sets.indices.dropFirst(start).first {
                    sets[$0][name] == nil && refusal(of: sets[$0].merging(single)) == nil
                }
                if let place { sets[place] = sets[place].merging(single) } else { add(single) }
            }
        }
    }

    private func has(_ name: String, _ value: Value) -> Bool { sets.contains { $0[name] == value } }

    private func values(_ fits: Fields) -> [Value] {
        let off = fits["off"].map { [$0] } ?? []
        if let choices = fits["choices"]?.list { return choices + off }
        guard let range = fits["range"]?.integers else { return [true, false] }
        return Set(range).sorted().map { .integer($0) } + off
    }

    /// The values of the refusal; nil if the game accepts these options.
    private func refusal(of asked: Fields) -> Fields? {
        do {
            _ = try game.options(asked)
            return nil
        } catch { return error.values }
    }
}
