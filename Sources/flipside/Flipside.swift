import ArgumentParser

struct Flipside: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flipside", abstract: "A hub for games in shared rooms, played in a browser.",
        version: "0.1.0",
        subcommands: [
            Serve.self, Top.self, Replay.self, Verify.self, Move.self, Forget.self, Simulate.self, Bench.self,
            Perft.self,
        ])
}
