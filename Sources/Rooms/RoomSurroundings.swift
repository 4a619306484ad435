import Cryptography
import EventStore
import Games
import Records
import RoomRules
import Threads

/// What one loop's rooms, and its shard, need from outside. A test can run them with a scripted clock, log and words.
/// Homes and edges need different parts of it, but it is made once for each loop, and each room holds one reference
/// instead of ten.
public final class RoomSurroundings {
    // What homes and edges need.
    public let log: LoopLog
    public let timers: any ShardTimers
    public let limits: HubLimits
    public let counters: HubCounters
    public let loggers: HubLoggers
    /// This turn of the loop.
    private(set) var turn: LoopTurn
    /// The hub's time in it, in ms since 1970.
    public var now: Milliseconds { turn.now }
    /// When the commands were read whose events are sent in this turn.
    private var broadcasts: [Nanoseconds] = []

    // What homes need.
    /// Names this start of the process. Each start draws a new one.
    public let run: String
    public let games: GameCatalog
    public let random: any RandomSource
    let computers: any ComputerRunner
    /// Where computer players answer: this loop.
    let replies: any ComputerReplyInbox
    /// How much players may still write.
    var writeAllowances = WriteAllowances()
    /// Read several times for each command. Swift would check each access to a public stored property for overlaps.
    var status: LoopStatus
    /// Times of the last hour in which this loop's rooms could not be played, where several nodes share the log.
    public var stops = Outages()
    /// Recent failures of the log and the read models.
    var failureLines = FailureLines()
    /// Rooms that recently could not be read.
    var brokenRoomLines = FailureLines()
    /// Rooms with a snapshot that recently did not match the log.
    var snapshotLines = FailureLines()
    /// Members of this loop's rooms whose sockets are on other nodes.
    public var relayedMembers = 0
    /// Over how long all members of this loop's rooms should spread a reconnect; nil if they need not.
    var spread: Milliseconds? {
        let members = counters.members.value - counters.relayedConnections.value + relayedMembers
        return ReconnectSpread.span(members: members, loops: max(1, nodeCount - 1))
    }
    /// Whether several nodes share the log.
    public let isShared: Bool
    /// The nodes that serve rooms, including this one.
    public var nodeCount = 1
    // What edges need.
    let rows: any RoomRows
    public let presence: PresenceCounts
    public let places = PlayerPlaces()
    public let addressLimits: AddressLimits
    /// For simulations: called with times in which this loop's rooms could not be played, and that are in no record.
    public var outageKept: ((Outage) -> Void)?
    /// Called with a room that another node has claimed.
    public var homeLost: ((String) -> Void)?
    /// Members that have fallen behind in this turn. They are checked at its end.
    public var membersBehind: [Member] = []

    public init(
        run: String, games: GameCatalog, log: any EventLog, rows: any RoomRows, inbox: any LogInbox,
        random: any RandomSource, timers: any ShardTimers, computers: any ComputerRunner,
        replies: any ComputerReplyInbox,
        loggers: HubLoggers, limits: HubLimits, addressLimits: AddressLimits,
        counters: HubCounters, presence: PresenceCounts, now: Milliseconds,
        history: HubHistory, isShared: Bool = false
    ) {
        self.run = run
        self.games = games
        self.log = LoopLog(log, answering: inbox)
        self.rows = rows
        self.random = random
        self.timers = timers
        self.computers = computers
        self.replies = replies
        self.loggers = loggers
        self.limits = limits
        self.addressLimits = addressLimits
        self.counters = counters
        self.presence = presence
        turn = LoopTurn(now: now, began: 0, lastEnded: 0)
        self.isShared = isShared
        status = LoopStatus(history: history, unreadable: games.eventsLeftOut)
    }

    /// The only place where time advances. Everything in this turn happens at `now`.
    public func turnBegan(_ turn: LoopTurn) {
        self.turn = turn
        guard !broadcasts.isEmpty else { return }
        for read in broadcasts { counters.broadcasts.add(turn.lastEnded - read) }
        broadcasts.removeAll(keepingCapacity: true)
    }

    /// The events of this request are sent in this turn. They are counted once it has ended.
    func countBroadcast(of request: RoomRequest) { if let read = request.read { broadcasts.append(read) } }

    /// The ticket's client gets the answer as `settled`.
    func append(_ commit: Commit, ticket: Ticket) {
        status.logSilence.asked(at: now)
        log.append(commit, ticket: ticket)
    }

    /// For rare appends. The answer is given to `then` on this loop.
    public func append(_ commit: Commit, then: @escaping (AppendAnswer) -> Void) {
        append(commit, ticket: log.ticket { if case .settled(_, let answer) = $0 { then(answer) } })
    }

    /// Drops all that waits.
    public func discard() {
        log.discard()
        membersBehind = []
    }
}

/// A turn of an event loop.
public struct LoopTurn: Equatable, Sendable {
    /// In ms since 1970, by the hub's clock.
    public let now: Milliseconds
    /// When it began, by the steady clock.
    let began: Nanoseconds
    /// When the turn before it had sent all that it could.
    let lastEnded: Nanoseconds

    public init(now: Milliseconds, began: Nanoseconds, lastEnded: Nanoseconds) {
        (self.now, self.began, self.lastEnded) = (now, began, lastEnded)
    }
}

/// Fires at the times that were asked for: the loop's timers, or a script.
public protocol ShardTimers: AnyObject {
    /// `token` fires once, at `time` (ms since 1970) or soon after; arming it again moves it.
    func arm(_ token: UInt64, at time: Milliseconds)
    func cancel(_ token: UInt64)
}

extension ShardTimers {
    public func arm(_ timer: LoopTimer, at time: Milliseconds) { arm(timer.rawValue, at: time) }
    public func cancel(_ timer: LoopTimer) { cancel(timer.rawValue) }
}

/// The operating system's random source, through OpenSSL.
public final class SystemRandom: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] { randomBytes(count) }
}
