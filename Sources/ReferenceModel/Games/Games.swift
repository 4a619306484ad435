/// The games that the model knows.
enum Games {
    static let names = ["memory", "reversi", "connect-four"]

    /// The game that an event `game-started` begins.
    static func started(_ game: String, _ event: JSON, _ deal: Deal) throws(BrokenPromise) -> (any GameModel)? {
        switch game {
        case "memory": try MemoryModel(event, deal)
        case "reversi": try ReversiModel(event, deal)
        case "connect-four": try ConnectFourModel(event, deal)
        default: nil
        }
    }
}
