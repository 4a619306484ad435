import EventStore
import Foundation
import RoomRules
import Transport

/// Ends the program with a sentence for its caller.
struct CommandLineError: Error, CustomStringConvertible {
    let description: String

    init(_ sentence: String) { description = sentence }
}

func sentence(_ error: any Error) -> String {
    switch error {
    case let error as TransportError: error.sentence
    case let error as ClientError: error.sentence
    case let error as EventLogError: error.sentence
    case let error as GameCatalogError: error.sentence
    default: "\(error)"
    }
}

/// The signals that end or change a running hub.
enum Signals {
    /// Waits on this thread for SIGTERM, SIGINT and SIGHUP, until `handle` returns true for one of them.
    static func wait(_ handle: (Int32) -> Bool) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        while true {
            var signal: Int32 = 0
            if sigwait(&set, &signal) == 0, handle(signal) { return }
        }
    }

    /// Keeps these signals for `wait`. Called before any thread is started, since threads inherit it.
    static func block() {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A log that may not grow (`ulimit -f`) is an error to report, and must not end the process.
        signal(SIGXFSZ, SIG_IGN)
        // Neither must a pipe that no one reads.
        signal(SIGPIPE, SIG_IGN)
    }
}
