import ArgumentParser
import EventStore
import Foundation
import Games
import Hub
import RoomRules

struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a room's events, fold them, and say whether its chain, commitments and decks hold.",
        discussion: "Works beside a running hub. Ends with status 1 if something does not hold.")

    @Argument(help: "The room's code.")
    var code: String

    @Flag(help: "Print the events as they were sent, one JSON object per line; the verdict goes to standard error.")
    var ndjson = false

    @OptionGroup var log: LogOptions

    func run() throws {
        let reader = try log.reader()
        var check = RoomCheck(code: code, games: try GameCatalog(GameList.all))
        var fault: RoomCheck.Fault?
        try reader.eachRecord(of: .room(code)) { record in
            if ndjson {
                try StandardStreams.write(record.event.shown + [UInt8(ascii: "\n")])
            } else {
                print(sentence(of: record))
            }
            guard fault == nil else { return }
            do throws(RoomCheck.Fault) { try check.checkRecord(record) } catch { fault = error }
        }
        if fault == nil { do throws(RoomCheck.Fault) { try check.checkEnd() } catch { fault = error } }
        guard check.count > 0 || fault != nil else { throw CommandLineError("There is no room `\(code)` in this log.") }
        let verdict = fault.map { "✗ Record \($0.version) does not hold: \($0.description)." } ?? check.verdict
        if ndjson { StandardStreams.say(verdict + "\n") } else { print(verdict) }
        if fault != nil { throw ExitCode.failure }
    }
}

extension RoomCheck {
    fileprivate var verdict: String {
        "✓ All holds: \(count) events in one chain, head \(head.hex); games whose commitment and deck are proven: "
            + "\(provenGames)" + (isOpen ? ", and one that is running, whose seed is not revealed yet." : ".")
    }
}
