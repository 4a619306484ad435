import ArgumentParser

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Load a hub and measure how it copes, or measure the games or a log alone.",
        usage: """
            flipside bench URL [<options>]
            flipside bench games [<options>]
            flipside bench log LOG [<options>]
            """,
        discussion: "`flipside bench hub --help` lists the options of the first form.",
        // A command with an argument of its own would take the name of another command for it.
        subcommands: [BenchHub.self, BenchGames.self, BenchLog.self], defaultSubcommand: BenchHub.self)
}
