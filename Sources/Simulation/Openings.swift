/// How people open rooms.
struct Openings {
    static let visibilities = ["public", "seeking", "unlisted"]

    /// The body of a request that opens a room.
    func next(_ choices: inout Choices) -> String {
        let game = choices.element(
            of: [
                "memory", "memory", "memory", "reversi", "connect-four", "dots-and-boxes", "go-fish", "goofspiel",
            ])
        let visibility = choices.chance(1, in: 3) ? #","visibility":"\#(choices.element(of: Self.visibilities))""# : ""
        return #"{"game":"\#(game)","options":\#(someOptions(game, &choices))\#(visibility)}"#
    }

    /// Takes back some options that may have been asked for.
    func optionsTakenBack(_ choices: inout Choices) -> String {
        let names = [
            "seats", "turnTime", "preset", "columns", "rows", "pairs", "theme", "rule", "reveal", "size", "books",
            "cards",
        ]
        let some = (0...choices.number(below: 3)).map { _ in choices.element(of: names) }
        return "{" + Set(some).sorted().map { #""\#($0)":null"# }.joined(separator: ",") + "}"
    }

    func someOptions(_ game: String, _ choices: inout Choices) -> String {
        var options: [String] = []
        if choices.chance(1, in: 2) {
            options.append(#""turnTime":\#(choices.element(of: [0, 5, 5, 10, 30, 60, 3_600, 86_400]))"#)
        }
        if game == "dots-and-boxes" {
            options.append(#""size":\#(choices.number(in: 3...6)),"seats":\#(choices.number(in: 2...4))"#)
        }
        if game == "go-fish" {
            let books = choices.element(of: ["fours", "pairs"])
            options.append(#""books":"\#(books)","seats":\#(choices.number(in: 2...6))"#)
        }
        if game == "goofspiel" {
            options.append(#""cards":\#(choices.number(in: 4...13)),"seats":\#(choices.number(in: 2...5))"#)
        }
        guard game == "memory" else { return "{" + options.joined(separator: ",") + "}" }
        if choices.chance(1, in: 2) { options.append(#""seats":\#(choices.number(in: 1...8))"#) }
        if choices.chance(1, in: 3) {
            options.append(#""rule":"\#(choices.element(of: ["pairs", "memorize", "easy", "medium", "hard"]))""#)
        }
        if choices.chance(1, in: 3) { options.append(#""turnRule":"\#(choices.element(of: ["again", "alternate"]))""#) }
        if choices.chance(1, in: 3) { options.append(#""reveal":\#(choices.element(of: [200, 500, 1_000, 10_000]))"#) }
        switch choices.number(below: 4) {
        case 0:
            options.append(#""preset":"\#(choices.element(of: ["classic", "easy", "medium", "hard", "memorize"]))""#)
        case 1: options.append(#""columns":\#(choices.number(in: 2...8)),"rows":\#(choices.number(in: 3...12))"#)
        case 2: options.append(#""pairs":\#(choices.number(in: 3...48))"#)
        default: break
        }
        if choices.chance(1, in: 4) {
            options.append(#""theme":"\#(choices.element(of: ["random", "numbers", "animals"]))""#)
        }
        return "{" + options.joined(separator: ",") + "}"
    }
}
