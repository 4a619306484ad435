import ArgumentParser

@main
struct Flipside: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "A hub for games in shared rooms.")
}
