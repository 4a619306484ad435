/// The games that a hub has unless it is given others, a line each: the one place that names them all.
public enum GameList {
    public static let all: [any Game.Type] = [
        Memory.self,
        Reversi.self,
        ConnectFour.self,
    ]
}
