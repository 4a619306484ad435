import ArgumentParser
import Cryptography
import EventStore
import Foundation
import Records
import Synchronization

struct BenchLog: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Measure how many commits a second one node appends to a log.",
        discussion: """
            Each room appends the record of a flip, all at the same time, and again when the last of them has its \
            answer. Each round is one transaction. Use a log of its own, since the records stay in it.
            """)

    @Argument(help: "The log: sqlite:FOLDER or postgresql://USER@HOST:PORT/DATABASE.")
    var address: String

    @Option(help: "Rooms, which is also the number of commits in a transaction.")
    var batch = 20

    @Option(help: "Seconds to measure, after one that does not count.")
    var seconds = 5

    func validate() throws {
        // As many as PostgreSQLLog writes in one transaction.
        guard (1...512).contains(batch) else { throw ValidationError("--batch is a number from 1 to 512.") }
        guard (1...86_400).contains(seconds) else { throw ValidationError("--seconds is a number from 1 to 86400.") }
    }

    func run() throws {
        let address = try CommandLineError.address(.init(source: "the log", text: address))
        let log: any EventLog
        do {
            log =
                switch address {
                case .sqlite(let folder): try SQLiteLog(folder: folder)
                case .postgreSQL(let text): try PostgreSQLLog(address: text, run: "bench-" + Self.drawn())
                }
        } catch { throw CommandLineError(error.sentence) }
        let load = AppendLoad(on: log, rooms: (0..<batch).map { _ in StreamName(text: "bench/" + Self.drawn()) })
        load.followStreams()
        Thread.sleep(forTimeInterval: 1)
        let (before, began) = (load.count, nanoseconds())
        Thread.sleep(forTimeInterval: Double(seconds))
        let (count, time) = (load.count - before, nanoseconds() - began)
        load.stopAppending()
        log.close()
        if let problem = load.problem { throw CommandLineError(problem) }
        print("\(Int(Double(count) * 1e9 / Double(time))) commits a second, \(batch) in a transaction")
    }

    private static func drawn() -> String { randomBytes(8).base64URL }
}

/// Appends on the thread that delivers the answers, so that the log finds all commits waiting together.
private final class AppendLoad: LogInbox {
    private struct State {
        var ends: [StreamEnd]
        /// Streams that are not followed yet, or commits without an answer.
        var missing: Int
        var round = 0
        var count = 0
        var problem: String?
        var isEnding = false
    }

    /// An event of a game, the same each time.
    private static let event = Event(
        time: 1_764_000_000_000, type: "show-card",
        shown: Array(#"{"v":1234,"t":1764000000000,"type":"show-card","cell":17,"face":"21","seat":0}"#.utf8))

    private let log: any EventLog
    private let rooms: [StreamName]
    private let state: Mutex<State>

    init(on log: any EventLog, rooms: [StreamName]) {
        (self.log, self.rooms) = (log, rooms)
        state = Mutex(State(ends: rooms.map(\.start), missing: rooms.count))
    }

    var count: Int { state.withLock(\.count) }
    var problem: String? { state.withLock(\.problem) }

    /// Makes each room follow its stream.
    func followStreams() {
        for (index, room) in rooms.enumerated() { log.follow(room, after: 0, ticket: Ticket(index), into: self) }
    }

    func stopAppending() { state.withLock { $0.isEnding = true } }

    func deliver(_ messages: [LogMessage]) {
        let isDone = state.withLock { state in
            for message in messages { Self.applyMessage(message, &state) }
            return state.missing == 0 && !state.isEnding && state.problem == nil
        }
        if isDone { appendAll() }
    }

    private static func applyMessage(_ message: LogMessage, _ state: inout State) {
        switch message {
        case .records(let ticket, let records):
            if let last = records.last { state.ends[Int(ticket)] = last.end }
        case .caughtUp: state.missing -= 1
        case .settled(_, .appended):
            state.missing -= 1
            state.count += 1
        case .followFailed(_, let error), .settled(_, .unavailable(let error)): state.problem = error.sentence
        case .settled: state.problem = "A commit was not appended: something else writes to these rooms."
        case .loaded, .erased, .availability, .claimed, .released, .claimLost, .claimedAgain: break
        }
    }

    private func appendAll() {
        let (ends, round) = state.withLock { state in
            (state.missing, state.round) = (rooms.count, state.round + 1)
            return (state.ends, state.round)
        }
        let commits = ends.enumerated().map { index, end in
            TicketedCommit(
                Commit(id: "0123456789abcdef/f\(round)", appending: [Self.event], to: rooms[index], expecting: end),
                Ticket(rooms.count + index))
        }
        log.append(commits, answer: self)
    }
}
