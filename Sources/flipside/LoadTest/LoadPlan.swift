import Foundation
import Transport

/// The load of a test.
struct LoadPlan: Sendable {
    let nodes: LoadNodes
    let rooms: Int
    /// Players with a seat in each room.
    let members: Int
    /// Watchers in each room.
    let spectators: Int
    /// Per second and room; nil if each follows as soon as the previous one and the game allow it.
    let flips: Double?
    /// Watchers per second, who stay for a second.
    let newcomers: Double
    /// Watchers in total who read 64 KiB a second, or nothing.
    let slowReaders: Int
    /// Watchers in total who leave at once and come back, after the flips.
    let reconnects: Int
    let seconds: Int
    let threads: Int

    /// New connections that one thread waits for at a time, until they get a welcome.
    static let setupLimit = 64
    /// For each new connection, since a loaded hub takes its time.
    static let connectTime = Duration.seconds(60)
    /// How long unfinished flips may take once the time is up.
    static let drainTime = Duration.seconds(5)
    /// How long all watchers that left may take to come back.
    static let returnTime = Duration.seconds(120)
    /// How long a newcomer stays.
    static let stay = 1_000

    /// At more flips a second than this, a room that knows no cards falls behind, since two cards that differ stay up
    /// for a fifth of a second.
    static let slowestRate = 6.0

    var connections: Int {
        rooms * (members + spectators) + slowReaders + reconnects + Int(newcomers.rounded(.up)) * 2
    }

    var limits: ClientLimits {
        var limits = ClientLimits()
        limits.connectTime = Self.connectTime
        limits.answerTime = Self.connectTime
        return limits
    }
}

/// What the main thread tells the loops to do.
enum LoadCommand: Sendable {
    /// Opens rooms, with their players.
    case open([LoadRoom.Seed])
    case watch([Watching])
    /// Makes each room play a part of its game, which does not count.
    case playAhead
    case play
    /// This many flips, due at this time.
    case flip(Int, due: Int)
    case welcome(Int, of: [OpenRoom])
    case stopPlaying
    /// All watchers that are to return leave at once and come back.
    case scatter
    /// Sent once a second, for slow readers and for newcomers that have stayed long enough.
    case second
    case report
    case leave
}

/// An open room, for the loops that do not have its players.
struct OpenRoom: Sendable {
    let code: String
    let flips: FlipTimes
}

struct Watching: Sendable {
    enum Manner: Sendable { case spectator, slowReader, returning }

    let room: OpenRoom
    let manner: Manner
    let count: Int
}

/// Nanoseconds since some moment before the start, of a clock that no one can set.
func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
