/// The faces of the cards of a Memory game, and their colour.
public struct Theme: Sendable, Equatable {
    /// What its faces are; `random` picks among emoji and pictures.
    public enum Kind: String, Sendable, Equatable {
        case emoji
        /// Names of drawings, the symbols of the page's `pictures.svg`.
        case pictures
        case text
    }

    /// How many pairs a game has if nothing else sets the board.
    public enum PairCount: Sendable, Equatable {
        /// As many as there are faces.
        case all
        /// The same for every game.
        case fixed(Int)
        /// Drawn from each game's seed.
        case drawn(ClosedRange<Int>)
    }

    /// As in the option `theme` and in `game-started`.
    public let name: String
    /// Each once, in the given order. The deck is drawn from all of them.
    public let faces: [String]
    /// How many faces a game shows unless options or a preset say so.
    public let pairs: PairCount
    /// The name of a colour, or those of a gradient in order. A page draws an unknown name in its default colour.
    public let colour: [String]
    /// Whether `random` may pick it.
    public let kind: Kind

    /// As many as the smallest board has pairs.
    public static let fewestFaces = 3
    /// As many as an index of one byte can hold besides one value for "none".
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

    /// Faces separated by blanks.
    init(_ name: String, _ faces: String, kind: Kind = .emoji, pairs: PairCount = .all, colour: String...) {
        self.init(name, faces.split(separator: " ").map(String.init), kind: kind, pairs: pairs, colour: colour)
    }
}
