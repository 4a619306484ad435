import ArgumentParser
import EventStore
import Hub

/// Carries a log over to another engine.
struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Carry a log over to another place, as it is: to PostgreSQL, back, or from one to another.",
        discussion: """
            No hub may run on either. Every record keeps its position and its hash, so that chains, links into replays \
            and what pages have seen go on to hold. The log that it comes from stays as it is. Put it away: two hubs \
            that each continue one of the two logs would play different games in the same rooms.
            """)

    @Option(help: "The log: sqlite:FOLDER or postgresql://USER@HOST:PORT/DATABASE.")
    var from: String

    @Option(help: "Where to carry it, in the same form: there must be no log yet, or an empty one.")
    var to: String

    func run() throws {
        let (source, target) = (
            try CommandLineError.address(.init(source: "--from", text: from)),
            try CommandLineError.address(.init(source: "--to", text: to))
        )
        do {
            for log in [source, target] {
                if let node = try runningNode(on: log) {
                    throw CommandLineError("The node \(node) runs on \(log.shown): stop all nodes first.")
                }
            }
            let move = try LogMove(from: source, to: target)
            print(
                "✓ All is in \(target.shown): \(move.streams) streams with \(move.events) events, heads as they were. "
                    + "Put away what is in \(source.shown).")
        } catch let error as EventLogError { throw CommandLineError(error.sentence) }
    }

    /// The name of a node that serves rooms of the log; nil: none, or there is no log yet.
    private func runningNode(on log: LogAddress) throws -> String? {
        do { return try OperatorNote.namesOfNodes(on: log).first } catch EventLogError.cannotOpen { return nil }
    }
}
