import ArgumentParser
import EventStore
import Foundation
import Hub

/// The log's address, for all commands that read it or ask the hub that runs on it.
struct LogOptions: ParsableArguments {
    @Option(help: "The log: sqlite:FOLDER or postgresql://USER@HOST:PORT/DATABASE. (default: sqlite:./data)")
    var log: String?

    @Option(help: "Folder of the log: short for --log sqlite:FOLDER.")
    var data: String?

    /// The log that `serve` would use.
    func address() throws(CommandLineError) -> LogAddress {
        try ServeSettings.log(log, data, environment: ProcessInfo.processInfo.environment)
    }

    /// How to reach a hub that runs on it.
    func operatorNote() throws -> OperatorNote {
        let address = try address()
        do {
            if let note = try OperatorNote.ofRunningHub(on: address) { return note }
        } catch let error as OperatorNoteError {
            throw CommandLineError("The hub's note for its operator cannot be read: \(error)")
        } catch { throw CommandLineError(sentence(error)) }
        let here = if case .sqlite = address { "" } else { " of this machine" }
        throw CommandLineError(
            "No hub\(here) runs on \(address.shown). Start one, or name the log of a running hub with --log.")
    }

    /// Opens it while hubs may be running.
    func reader() throws -> any LogReader {
        let address = try address()
        do { return try address.openReader() } catch { throw CommandLineError(error.sentence) }
    }
}

extension CommandLineError {
    /// The address of a given log. It is not shown if it may have a password.
    static func address(_ given: ServeOption.Given) throws(CommandLineError) -> LogAddress {
        guard let address = LogAddress(given.text) else {
            let shown = given.text.contains(":") && !given.text.hasPrefix("sqlite:") ? "…" : given.text
            throw CommandLineError(
                .init(source: given.source, text: shown), "sqlite:FOLDER or postgresql://USER@HOST:PORT/DATABASE")
        }
        return address
    }
}
