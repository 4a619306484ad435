import Cryptography
import EventStore
import Games
import Logging

/// What the rooms of one loop need of the world, as values they are given: so a test can run them with a scripted
/// clock, log and words.
final class RoomSurroundings {
    let log: any EventLog
    let projections: any Projections
    /// Where log and projections answer: this loop.
    let inbox: any LogInbox
    let random: any RandomSource
    let timers: any Timers
    let thinking: any Thinking
    /// Where computer players answer: this loop.
    let thoughts: any ThoughtInbox
    let logger: Logger
    let limits: HubLimits
    let counters: HubCounters
    let presence: PresenceCounts
    /// The time of this turn of the loop, in ms since 1970.
    var now: Milliseconds
    /// Times in which the hub was not running, in order.
    var outages: [Outage]
    /// From the moment at which the log stops taking writes until the outage is recorded.
    var isLogDown = false { didSet { counters.logIsDown.set(isLogDown ? 1 : 0) } }
    /// Who waits for which answer of log and projections.
    private var waiting: [Ticket: any LogClient] = [:]
    private var lastTicket: Ticket = 0

    init(
        log: any EventLog, projections: any Projections, inbox: any LogInbox, random: any RandomSource,
        timers: any Timers, thinking: any Thinking, thoughts: any ThoughtInbox, logger: Logger, limits: HubLimits,
        counters: HubCounters, presence: PresenceCounts, now: Milliseconds,
        outages: [Outage]
    ) {
        self.log = log
        self.projections = projections
        self.inbox = inbox
        self.random = random
        self.timers = timers
        self.thinking = thinking
        self.thoughts = thoughts
        self.logger = logger
        self.limits = limits
        self.counters = counters
        self.presence = presence
        self.now = now
        self.outages = outages
    }

    /// A ticket whose answers go to `client` until `end` is called with it.
    func ticket(for client: any LogClient) -> Ticket {
        lastTicket += 1
        waiting[lastTicket] = client
        return lastTicket
    }

    func end(_ ticket: Ticket) { waiting[ticket] = nil }

    func client(of ticket: Ticket) -> (any LogClient)? { waiting[ticket] }
}

/// Who asks log or projections for something.
protocol LogClient: AnyObject {
    /// Called in the order in which the log speaks.
    func receive(_ message: LogMessage, ticket: Ticket)
}

/// Wakes whoever asked at a time: the loop's timers, or a script.
protocol Timers: AnyObject {
    /// `token` fires once, at `time` (ms since 1970) or soon after; arming it again moves it.
    func arm(_ token: UInt64, at time: Milliseconds)
    func cancel(_ token: UInt64)
}

/// The operating system's, through OpenSSL.
final class SystemRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { randomBytes(count) }
}
