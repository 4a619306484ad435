import ArgumentParser
import EventStore
import Foundation
import Hub

struct Move: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy a log unchanged to another place: to PostgreSQL, back, or from one to another.",
        discussion: """
            No hub may run on either. Every record keeps its position and its hash, so chains, links into replays and \
            open pages stay valid. The old log is not changed. Put it away, since two hubs that each continue one of \
            the logs would play different games in the same rooms.
            """)

    @Option(help: "The log: sqlite:FOLDER or postgresql://USER@HOST:PORT/DATABASE.")
    var from: String

    @Option(help: "Where to copy it, in the same form; any log there must be empty.")
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
            progress.endLine()
            print(
                "✓ All is in \(target.shown): \(move.streams) streams with \(move.events) events, heads as they were. "
                    + "Put away what is in \(source.shown).")
        } catch let error as EventLogError { throw CommandLineError(error.sentence) }
    }

    /// The name of a node that serves rooms of the log; nil if there is none, or no log yet.
    private func runningNode(on log: LogAddress) throws -> String? {
        do { return try OperatorNote.namesOfNodes(on: log).first } catch EventLogError.cannotOpen { return nil }
    }
}

/// Reports progress on standard error. A terminal shows one line that is overwritten; otherwise there are at most a
/// dozen lines and one for each 10,000 streams.
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

    /// Starts a new line for later output.
    func endLine() { if isTerminal { StandardStreams.say("\n") } }

    private func say(_ text: String) {
        // Erases the rest of a longer line.
        StandardStreams.say(isTerminal ? "\r\(text)\u{1B}[K" : text + "\n")
    }
}
