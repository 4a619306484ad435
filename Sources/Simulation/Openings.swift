import Games
import JSON

/// How people open rooms, of all games.
struct Openings {
    static let visibilities = ["public", "seeking", "unlisted"]

    private let offers = GameList.all.map(GameOffer.init)

    /// The body of a request that opens a room.
    func next(_ choices: inout Choices) -> String {
        // Games with more options are opened more often.
        let offer = choices.element(of: offers.flatMap { Array(repeating: $0, count: max(1, $0.options.count)) })
        let visibility = choices.chance(1, in: 3) ? #","visibility":"\#(choices.element(of: Self.visibilities))""# : ""
        return #"{"game":"\#(offer.game.name)","options":\#(offer.options(&choices))\#(visibility)}"#
    }

    /// Takes back some options that may have been asked for, in this game or another.
    func optionsTakenBack(_ choices: inout Choices) -> String {
        let names = Set(offers.flatMap { $0.options.map(\.name) }).sorted()
        let some = (0...choices.number(below: 3)).map { _ in choices.element(of: names) }
        return "\(Fields(Set(some).sorted().map { ($0, .null) }))"
    }

    func someOptions(_ game: String, _ choices: inout Choices) -> String { "\(self[game].options(&choices))" }

    func level(_ game: String, _ choices: inout Choices) -> String { self[game].level(&choices) }

    /// A game, and a mode of it.
    func someMode(_ choices: inout Choices) -> (game: String, mode: String) {
        let offer = choices.element(of: offers)
        return (offer.game.name, offer.mode(&choices) ?? "")
    }

    /// The first if no game has this name.
    private subscript(game: String) -> GameOffer { offers.first { $0.game.name == game } ?? offers[0] }
}
