/// What the cards of a Memory game show, and the colour they are drawn in.
public struct Theme: Sendable, Equatable {
    /// What its faces are; `random` picks among emoji and pictures.
    public enum Kind: String, Sendable, Equatable {
        case emoji
        /// Names of drawings: of the symbols in the page's `pictures.svg`.
        case pictures
        case text
    }

    /// How many pairs a game shows where nothing else makes the board.
    public enum PairCount: Sendable, Equatable {
        /// As many as there are faces.
        case all
        /// The same for every game.
        case fixed(Int)
        /// Drawn anew for each game, from the game's seed.
        case drawn(ClosedRange<Int>)
    }

    /// As in the option `theme` and in `game-started`.
    public let name: String
    /// Each once, in the order in which they are given: the deck is drawn from all of them.
    public let faces: [String]
    /// How many of the faces a game shows, where neither options nor preset say.
    public let pairs: PairCount
    /// The name of a colour, or those of a gradient in order. A page draws a name that it does not know in a default of
    /// its own.
    public let colour: [String]
    /// Whether `random` may pick it.
    public let kind: Kind

    /// Fewest faces of a theme: as many as the smallest board has pairs.
    public static let fewestFaces = 3
    /// Most faces of a theme: what an index of one byte can tell apart, and one value for "none".
    public static let mostFaces = 255

    init(_ name: String, _ faces: [String], kind: Kind, pairs: PairCount = .all, colour: [String]) {
        var distinct: [String] = []
        for face in faces where !distinct.contains(face) { distinct.append(face) }
        self.name = name
        self.faces = distinct
        self.pairs = pairs
        self.colour = colour
        self.kind = kind
    }

    /// Faces with a blank between each two.
    init(_ name: String, _ faces: String, kind: Kind = .emoji, pairs: PairCount = .all, colour: String...) {
        self.init(name, faces.split(separator: " ").map(String.init), kind: kind, pairs: pairs, colour: colour)
    }
}
