import Cryptography
import EventStore
import Games
import Records
import RoomRules
import Threads

/// What one loop's rooms, and its shard, need of the world, as values they are given: so a test can run them with a
/// scripted clock, log and words. One value, although homes and edges need different parts of it: it is made once for
/// each loop, and each room holds one reference instead of ten.
public final class RoomSurroundings {
    // What homes and edges need.
    public let log: any EventLog
    /// Where the log answers: this loop.
    public let inbox: any LogInbox
    public let timers: any ShardTimers
    public let limits: HubLimits
    public let counters: HubCounters
    public let loggers: HubLoggers
    /// This turn of the loop.
    private(set) var turn: LoopTurn
    /// The hub's time in it, in ms since 1970.
    public var now: Milliseconds { turn.now }
    /// When commands were read whose events go out with this turn.
    private var broadcasts: [Nanoseconds] = []
    /// Who waits for which answer of the log.
    private var waiting: [Ticket: any LogClient] = [:]
    private var lastTicket: Ticket = 0

    // What homes need.
    /// Names this start of the process: drawn anew by each.
    public let run: String
    public let games: GameCatalog
    public let random: any RandomSource
    let computers: any ComputerRunner
    /// Where computer players answer: this loop.
    let replies: any ComputerReplyInbox
    /// What players may still write.
    var writeAllowances = WriteAllowances()
    /// Times in which rooms could not be played, and who serves them.
    public var history: HubHistory
    /// From the moment at which the log stops taking writes until the outage is recorded.
    public var isLogDown = false { didSet { counters.logIsDown.set(isLogDown ? 1 : 0) } }
    /// From the first turn after this loop stood still until that outage is recorded.
    public var isStandingStill = false
    /// Until when the other nodes take this one to be there, by what it has told them; without others for ever.
    public var leaseEnd = Milliseconds.max
    /// From when an append is handed over until the log answers one.
    public var logSilence = LogSilence()
    /// Times of the last hour in which this loop's rooms could not be played, where several nodes share the log.
    public var stops = Outages()
    /// Whether a time in which rooms could not be played is not over, or not in the log yet.
    var isOutageUnrecorded: Bool { isLogDown || isStandingStill || logSilence.begun(at: now) != nil }
    /// Whether commands and clocks may be judged.
    public var canPlay: Bool { !isOutageUnrecorded && now <= leaseEnd }

    /// Whether who comes can be served: a loop that stood still for a moment goes on at once.
    public var isReadyToPlay: Bool { !isLogDown && now <= leaseEnd }

    /// Why the log and the read models have failed of late.
    var failureLines = FailureLines()
    /// Which rooms could not be read of late.
    var brokenRoomLines = FailureLines()
    /// Of which rooms the log has not borne out a snapshot of late.
    var snapshotLines = FailureLines()
    /// Members of this loop's rooms whose sockets are at other nodes.
    public var relayedMembers = 0
    /// Over how long the members of this loop's rooms are to come back if they all have to; nil: by themselves they
    /// come no faster than they can be greeted.
    var spread: Milliseconds? {
        let members = counters.members.value - counters.relayedConnections.value + relayedMembers
        let others = max(1, nodeCount - 1)
        let span = members * 1_000 / (Self.greetingsPerSecond * others)
        return span > Self.usualPause ? min(span, Self.spreadLimit) : nil
    }
    /// What a loop can do beside its games.
    private static let greetingsPerSecond = 500
    /// The longest first pause of a client that was given no spread.
    private static let usualPause: Milliseconds = 300
    /// Longer than this nobody is asked to wait, however many there are.
    private static let spreadLimit: Milliseconds = 10_000
    /// Whether several nodes share the log.
    public let isShared: Bool
    /// The nodes that serve rooms, with this one.
    public var nodeCount = 1
    /// Events that this node, or one beside it, cannot read.
    public private(set) var unreadable: Set<String>

    // What edges need.
    let rows: any RoomRows
    public let presence: PresenceCounts
    public let places = PlayerPlaces()
    public let addressLimits: AddressLimits
    /// Told of times in which this loop's rooms could not be played, that are in no record: for simulations.
    public var outageKept: ((Outage) -> Void)?
    /// Told of a room that another node has claimed.
    public var homeLost: ((String) -> Void)?
    /// Those with members who may be behind: looked at at the end of the turn.
    public var edgesBehind: [RoomEdge] = []

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
        self.log = log
        self.rows = rows
        self.inbox = inbox
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
        self.history = history
        self.isShared = isShared
        unreadable = games.eventsLeftOut
    }

    /// Nodes beside this one cannot read these events, and all others.
    public func othersCannotRead(_ types: Set<String>) { unreadable = types.union(games.eventsLeftOut) }

    /// The one place in which it becomes later: everything of this turn happens at `now`.
    public func turnBegan(_ turn: LoopTurn) {
        self.turn = turn
        guard !broadcasts.isEmpty else { return }
        for read in broadcasts { counters.broadcasts.add(turn.lastEnded - read) }
        broadcasts.removeAll(keepingCapacity: true)
    }

    /// The events of this request go out to the members of its room with this turn: counted once it has ended.
    func broadcast(_ request: RoomRequest) { if let read = request.read { broadcasts.append(read) } }

    /// A ticket whose answers go to `client` until `end` is called with it.
    public func ticket(for client: any LogClient) -> Ticket {
        lastTicket += 1
        waiting[lastTicket] = client
        return lastTicket
    }

    public func end(_ ticket: Ticket) { waiting[ticket] = nil }

    /// Answered by `settled` to whoever has drawn the ticket.
    func append(_ commit: Commit, ticket: Ticket) {
        logSilence.asked(at: now)
        log.append(commit, ticket: ticket, answer: inbox)
    }

    /// Nobody waits for anything any more.
    public func discard() {
        waiting = [:]
        edgesBehind = []
    }

    public func client(of ticket: Ticket) -> (any LogClient)? { waiting[ticket] }
}

/// A turn of an event loop.
public struct LoopTurn: Equatable, Sendable {
    /// In ms since 1970, by the hub's clock.
    public let now: Milliseconds
    /// When it began, by the steady clock.
    let began: Nanoseconds
    /// When the one before it had sent all that it could.
    let lastEnded: Nanoseconds

    public init(now: Milliseconds, began: Nanoseconds, lastEnded: Nanoseconds) {
        (self.now, self.began, self.lastEnded) = (now, began, lastEnded)
    }
}

/// Who asks the log for something.
public protocol LogClient: AnyObject {
    /// Called in the order in which the log speaks.
    func receive(_ message: LogMessage, ticket: Ticket)
}

/// Wakes whoever asked at a time: the loop's timers, or a script.
public protocol ShardTimers: AnyObject {
    /// `token` fires once, at `time` (ms since 1970) or soon after; arming it again moves it.
    func arm(_ token: UInt64, at time: Milliseconds)
    func cancel(_ token: UInt64)
}

/// The operating system's, through OpenSSL.
public final class SystemRandom: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] { randomBytes(count) }
}
