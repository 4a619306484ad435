import Cryptography
import Games
import JSON

/// What can be asked of a game. The game says it: it refuses an unknown option with the names of its own, and a value
/// that does not fit with those that do.
struct GameOffer {
    enum Values {
        case numbers(ClosedRange<Int>, off: Int?)
        case words([String])
    }

    let game: any Game.Type
    let options: [(name: String, values: Values)]

    init(_ game: any Game.Type) {
        func refusal(_ asked: Fields) -> Fields {
            do throws(Rejection) { _ = try game.options(asked) } catch { return error.values }
            return [:]
        }
        let names = refusal(["": .null])["options"]?.strings ?? []
        self.game = game
        options = names.compactMap { name in Values(refusal([name: .null])).map { (name, $0) } }
    }

    /// Some options that the game takes together.
    func options(_ choices: inout Choices) -> Fields {
        var asked = Fields()
        for option in options where choices.chance(1, in: 2) {
            var more = asked
            more[option.name] = option.values.next(&choices)
            if (try? game.options(more)) != nil { asked = more }
        }
        return asked
    }

    /// The mode of a game with such options.
    func mode(_ choices: inout Choices) -> String? {
        let asked = choices.chance(1, in: 2) ? Fields() : options(&choices)
        let seed = SHA256.digest(of: "mode \(choices.next())")
        var words = RandomWords(seed: seed)
        guard
            let start = try? game.setupFields(asked, players: game.seats.lowerBound, draw: &words),
            let dealt = game.dealtFields(options: start.options, fields: start.fields, seed: seed)
        else { return nil }
        return game.mode(options: dealt.options, fields: dealt.fields)
    }

    /// One of the levels, or of the two weakest if there are more than three: the others think for long.
    func level(_ choices: inout Choices) -> String {
        let levels = game.computerLevels
        let quick = Array(levels.prefix(levels.count > 3 ? 2 : 3))
        return choices.chance(2, in: 3) ? quick[0] : choices.element(of: quick)
    }
}

extension GameOffer.Values {
    /// From the values of a refusal; nil if they name none.
    init?(_ refusal: Fields) {
        if let words = refusal["choices"]?.strings {
            self = .words(words)
        } else if let ends = refusal["range"]?.integers, ends.count == 2, ends[0] <= ends[1] {
            self = .numbers(ends[0]...ends[1], off: refusal["off"]?.integer)
        } else {
            return nil
        }
    }

    func next(_ choices: inout Choices) -> Value {
        switch self {
        case .words(let words): return .string(choices.element(of: words))
        case .numbers(let range, let off):
            if let off, choices.chance(1, in: 8) { return .integer(off) }
            // A small number of any magnitude, since short turns and small boards lead to more events.
            let width = range.upperBound - range.lowerBound
            let magnitudes = max(1, Int.bitWidth - width.leadingZeroBitCount)
            return .integer(range.lowerBound + choices.number(in: 0...width >> choices.number(below: magnitudes)))
        }
    }
}
