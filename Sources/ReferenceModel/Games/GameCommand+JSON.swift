extension GameCommand {
    /// Types of commands that are a game's or, `here`, the table's and a game's.
    static let types = ["flip", "shuffle", "place", "drop", "resign", "here"]

    /// Reads a command as a client sends it; nil: another one's `type`, or a field is missing or no whole number.
    init?(_ message: JSON) {
        switch message["type"]?.text {
        case "flip":
            guard let cell = message["cell"]?.number else { return nil }
            self = .flip(cell: cell)
        case "shuffle": self = .shuffle
        case "place":
            guard let cell = message["cell"]?.number else { return nil }
            self = .place(cell: cell)
        case "drop":
            guard let column = message["column"]?.number else { return nil }
            self = .drop(column: column)
        case "resign": self = .resign
        case "here": self = .here
        default: return nil
        }
    }

    /// As a client sends it, all but its `id`.
    var json: JSON {
        switch self {
        case .flip(let cell): ["type": "flip", "cell": .number(cell)]
        case .shuffle: ["type": "shuffle"]
        case .place(let cell): ["type": "place", "cell": .number(cell)]
        case .drop(let column): ["type": "drop", "column": .number(column)]
        case .resign: ["type": "resign"]
        case .here: ["type": "here"]
        }
    }
}
