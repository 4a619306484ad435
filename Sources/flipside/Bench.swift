import ArgumentParser

/// Measures what is named; where it is a URL, the hub there.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Load a hub and measure how it copes, or measure the games or a log alone.",
        usage: """
            flipside bench URL [<options>]
            flipside bench games [<options>]
            flipside bench log LOG [<options>]
            """,
        discussion: "The options of the first are in `flipside bench hub --help`.",
        // A command with an argument of its own takes the name of any other for that.
        subcommands: [BenchHub.self, BenchGames.self, BenchLog.self], defaultSubcommand: BenchHub.self)
}
