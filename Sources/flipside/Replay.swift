import ArgumentParser
import EventStore
import Foundation
import Games
import Hub

/// Prints a room's events and checks them.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a room's events, fold them, and say whether its chain, commitments and decks hold.",
        discussion: "Works beside a running hub. Ends with status 1 if something does not hold.")

    @Argument(help: "The room's code.")
    var code: String

    @Flag(help: "Print the events as they were sent, a JSON object a line; the verdict goes to standard error.")
    var ndjson = false

    @OptionGroup var log: LogOptions

    func run() throws {
        let reader = try log.reader()
        var check = RoomCheck(code: code, games: try GameCatalog(GameList.all))
        var fault: RoomCheck.Fault?
        try reader.eachRecord(of: .room(code)) { record in
            if ndjson {
                FileHandle.standardOutput.write(Data(record.event.shown + [UInt8(ascii: "\n")]))
            } else {
                print(sentence(of: record))
            }
            guard fault == nil else { return }
            do throws(RoomCheck.Fault) { try check.take(record) } catch { fault = error }
        }
        if fault == nil { do throws(RoomCheck.Fault) { try check.checkEnd() } catch { fault = error } }
        guard check.count > 0 || fault != nil else { throw CommandLineError("There is no room `\(code)` in this log.") }
        fflush(nil)
        let verdict = fault.map { "✗ Record \($0.version) does not hold: \($0.description)." } ?? check.verdict
        FileHandle(fileDescriptor: ndjson ? 2 : 1).write(Data((verdict + "\n").utf8))
        if fault != nil { throw ExitCode.failure }
    }
}

extension RoomCheck {
    fileprivate var verdict: String {
        "✓ All holds: \(count) events in one chain, head \(head.hex); games whose commitment and deck are proven: "
            + "\(provenGames)" + (isOpen ? ", and one that is running, whose seed is not revealed yet." : ".")
    }
}

/// Checks the whole log.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check every stream of the log as `replay` checks a room.",
        discussion: "Works beside a running hub. Names each room that does not hold, and ends with status 1 then.")

    /// Streams that are listed at a time.
    private static let pieceLimit = 1_000

    @OptionGroup var log: LogOptions

    func run() throws {
        let reader = try log.reader()
        let known = try GameCatalog(GameList.all)
        var (rooms, others, events, games, faults) = (0, 0, 0, 0, 0)
        var last: StreamName?
        while true {
            let streams = try reader.streams(after: last, limit: Self.pieceLimit)
            for stream in streams {
                do {
                    if let code = stream.roomCode {
                        var check = RoomCheck(code: code, games: known)
                        try reader.eachRecord(of: stream) { try check.take($0) }
                        try check.checkEnd()
                        try holdBegun(stream, check.count)
                        (rooms, events, games) = (rooms + 1, events + check.count, games + check.provenGames)
                    } else {
                        events += try chainLength(reader, stream)
                        others += 1
                    }
                } catch let fault as RoomCheck.Fault {
                    faults += 1
                    print("✗ \(stream.text): record \(fault.version) does not hold: \(fault.description).")
                } catch EventLogError.chainBroken(_, let version) {
                    faults += 1
                    print("✗ \(stream.text): record \(version) does not hold: missing, or its hash does not fit.")
                } catch let error as EventLogError {
                    // The rest of the log may be sound: a damaged page takes one stream, or a few, with it.
                    faults += 1
                    print("✗ \(stream.text): \(error.sentence)")
                }
            }
            guard streams.count == Self.pieceLimit else { break }
            last = streams.last
        }
        let what = "\(rooms) rooms with \(games) proven games, \(others) other streams, \(events) events"
        guard faults == 0 else {
            print("✗ \(faults) of \(rooms + others + faults) streams do not hold; in the rest: \(what).")
            throw ExitCode.failure
        }
        print("✓ All holds: \(what).")
    }

    /// Checks a stream that is no room's: versions and hashes alone. Players' streams and the hub's own have no games
    /// in them.
    private func chainLength(_ reader: any LogReader, _ stream: StreamName) throws -> Int {
        var chain = Chain(of: stream)
        try reader.eachRecord(of: stream) { try chain.accept($0) }
        try holdBegun(stream, chain.version)
        return chain.version
    }

    /// A stream is there from its first record on: one that has none has lost them.
    private func holdBegun(_ stream: StreamName, _ count: Int) throws {
        guard count > 0 else { throw EventLogError.chainBroken(stream: stream, version: 1) }
    }
}
