import ArgumentParser
import EventStore
import Games
import Hub
import RoomRules

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check every stream of the log as `replay` checks a room.",
        discussion: "Works beside a running hub. Names each room that does not hold, and then ends with status 1.")

    @OptionGroup var log: LogOptions

    func run() throws {
        var check = LogCheck(of: try log.address(), games: try GameCatalog(GameList.all))
        let reader = try log.reader()
        do throws(EventLogError) {
            try check.checkLog(through: reader) { print("✗ \($0)") }
        } catch { throw CommandLineError(error.sentence) }
        let what =
            "\(check.rooms) rooms with \(check.provenGames) proven games, \(check.others) other streams, "
            + "\(check.events) events"
        guard check.faults == 0 else {
            print("✗ \(check.faults) of \(check.streams) streams do not hold; in the rest: \(what).")
            throw ExitCode.failure
        }
        guard check.otherFaults == 0 else {
            print("✗ Each stream holds by itself, and the log does not: \(what).")
            throw ExitCode.failure
        }
        print("✓ All holds: \(what).")
    }
}
