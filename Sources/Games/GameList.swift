/// The games of a hub by default, one on each line. The only place that names them all.
public enum GameList {
    public static let all: [any Game.Type] = [
        Memory.self,
        Reversi.self,
        ConnectFour.self,
        DotsAndBoxes.self,
        GoFish.self,
        Goofspiel.self,
    ]
}
