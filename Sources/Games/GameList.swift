/// The games of this hub, a line each: the one place that names them all.
public enum GameList {
    public static let all: [any Game.Type] = [
        Memory.self,
        Reversi.self,
    ]

    /// The game that bears `name`; nil if there is none.
    public static func game(named name: String) -> (any Game.Type)? { all.first { $0.name == name } }
}
