import ArgumentParser
import EventStore
import Foundation
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
            let progress = MoveProgress()
            let move = try LogMove(from: source, to: target) { progress.show($0) }
            progress.end()
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

/// Says on the standard error how far it is: in a terminal in one line that is written over, else in at most a dozen
/// lines and one for each 10,000 streams.
private final class MoveProgress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var percent = 0

    func show(_ step: LogMove.Step) {
        switch step {
        case .carried(let position, let last):
            let reached = position * 100 / max(1, last)
            guard reached >= percent + (isTerminal ? 1 : 10) else { return }
            percent = reached
            say("\(reached) % of the records carried over")
        case .compared(let streams):
            if isTerminal || streams % 10_000 == 0 { say("\(streams) streams compared") }
        }
    }

    /// What follows begins on a line of its own.
    func end() { if isTerminal { StandardStreams.say("\n") } }

    private func say(_ text: String) {
        // To its end, over what a longer line has left there.
        StandardStreams.say(isTerminal ? "\r\(text)\u{1B}[K" : text + "\n")
    }
}
