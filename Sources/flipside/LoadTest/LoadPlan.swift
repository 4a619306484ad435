import Foundation
import Transport

/// What a load test asks of a hub.
struct LoadPlan: Sendable {
    let nodes: LoadNodes
    let rooms: Int
    /// Of each room: who has a seat.
    let members: Int
    /// Of each room: who watches.
    let spectators: Int
    /// A second and room; nil: each as soon as the one before and the game allow it.
    let flips: Double?
    /// Watchers a second, who come for a second.
    let newcomers: Double
    /// Watchers in all who read 64 KiB a second, or nothing.
    let slowReaders: Int
    /// Watchers in all who go at once and come back, behind the flips.
    let reconnects: Int
    let seconds: Int
    let threads: Int

    /// New connections that one thread waits for at a time, until they are welcomed.
    static let setupLimit = 64
    /// For each new connection: a hub under load takes its time.
    static let connectTime = Duration.seconds(60)
    /// How long flips that are under way when time is up may take.
    static let drainTime = Duration.seconds(5)
    /// How long all that goes may take to come back.
    static let returnTime = Duration.seconds(120)
    /// How long a newcomer stays.
    static let stay = 1_000

    /// Past so many flips a second a room that knows no card of its board is behind: two cards that differ stay up for
    /// a fifth of a second.
    static let slowestRate = 6.0

    /// Connections that are open at a time.
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

/// What the main thread has the loops do.
enum LoadCommand: Sendable {
    /// Opens rooms, with their players.
    case open([LoadRoom.Seed])
    case watch([Watching])
    /// Has each room play a part of its game, which does not count.
    case playAhead
    case play
    /// So many flips, due at this time.
    case flip(Int, due: Int)
    case welcome(Int, of: [OpenRoom])
    case stopPlaying
    /// All that are to return go at once, and come back.
    case scatter
    /// Once a second, for who reads slowly, and who has stayed.
    case second
    case report
    case leave
}

/// A room that is there, for the loops that do not have its players.
struct OpenRoom: Sendable {
    let code: String
    let flips: FlipTimes
}

/// Watchers of a room.
struct Watching: Sendable {
    enum Manner: Sendable { case spectator, slowReader, returning }

    let room: OpenRoom
    let manner: Manner
    let count: Int
}

/// Nanoseconds since some moment before the start, of a clock that nobody sets.
func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
