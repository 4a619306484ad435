import EventStore
import Games
import Transport
import WebProtocols

/// A connection as its room sees it: a WebSocket, or a script in tests.
protocol MemberChannel: AnyObject {
    /// The client.
    var peer: Peer { get }
    /// Appended to what is to be sent; goes out at the end of the loop's turn.
    func send(_ frame: Frame)
    /// Whether others do not wait for what is sent to this one.
    var isServedLast: Bool { get set }
    /// What the socket has not taken yet.
    var queuedBytes: Int { get }
    func close(_ code: CloseCode, _ reason: String)
}

/// Names a member to the room's home, and to nobody else.
typealias MemberID = UInt64

/// Somebody in a room: one connection. A player may have several.
final class Member {
    /// Past so many bytes that wait for a slow member, one `welcome` replaces the events it missed. Not below the
    /// transport's `inputPauseBytes`, which tells when all of them have been taken.
    static let queueLimitBytes = 256 * 1024
    /// Most answers kept for a member that is behind: more means that it sends and never reads.
    static let owedLimit = 64
    /// Longest time that a member may be behind before it is closed.
    static let behindLimit: Milliseconds = 30_000
    /// Longest time that a connection may be there without saying hello.
    static let helloLimit: Milliseconds = 30_000

    enum Stage: Equatable {
        /// Has not said hello yet.
        case new
        /// Hello has been said; the token is being looked up.
        case identifying
        /// Older events are being read from the log for it; those that come meanwhile wait.
        case resuming(held: [Frame])
        case live
        case closed
    }

    let channel: any MemberChannel
    let room: Room
    /// Given by the room's edge, the later the greater.
    var id: MemberID = 0
    let since: Milliseconds
    var stage = Stage.new
    /// Nil: a spectator without a name.
    var player: Player? { didSet { room.edge.playerChanged(of: self, from: oldValue?.id) } }
    /// Whose connection this is, as the room's home was told last.
    var toldAs: PlayerID?
    /// Messages that came before hello was answered.
    var earlyMessages: [ClientMessage] = []
    private(set) var behindSince: Milliseconds?
    private var owed: [Frame] = []
    private var allowance = Allowance()

    init(channel: any MemberChannel, room: Room, now: Milliseconds) {
        self.channel = channel
        self.room = room
        since = now
    }

    private var limits: HubLimits { room.edge.surroundings.limits }

    /// Throws where this message comes too fast.
    func takeMessage(now: Milliseconds) throws(Rejection) { try allowance.takeMessage(limits, now: now) }

    /// Answers a message that came too fast; closes where there are far too many.
    func refuse(_ rejection: Rejection, now: Milliseconds) {
        guard allowance.refuse(limits, now: now) else { return close(.policyViolation, "you send far too fast") }
        answer(HubMessage.error(nil, rejection))
    }

    /// False where this hello comes too fast.
    func mayGreet(now: Milliseconds) -> Bool { allowance.takeHello(limits, now: now) }

    /// False where this line of chat comes too fast.
    func maySay(now: Milliseconds) -> Bool { allowance.takeLine(limits, now: now) }

    /// An event: skipped by a member that is behind, since a `welcome` will stand for it.
    func event(_ frame: Frame, now: Milliseconds) {
        switch stage {
        case .live:
            guard behindSince == nil else { return }
            if channel.queuedBytes > Self.queueLimitBytes { return fallBehind(now: now) }
            channel.send(frame)
        case .resuming(var held):
            guard held.count < RecentEvents.limit else {
                stage = .live
                return fallBehind(now: now)
            }
            held.append(frame)
            stage = .resuming(held: held)
        case .new, .identifying, .closed: break
        }
    }

    /// Something that is for this member alone: an answer, a pong. Not lost while it is behind or resumes, and not
    /// before the events that it is about.
    func answer(_ frame: Frame) {
        guard stage != .closed else { return }
        guard behindSince != nil || isResuming else { return channel.send(frame) }
        guard owed.count < Self.owedLimit else { return close(.tryAgainLater, "you send but do not read") }
        owed.append(frame)
    }

    func fallBehind(now: Milliseconds) {
        behindSince = behindSince ?? now
        room.edge.noteBehind()
    }

    /// Has fallen behind later by `span`, in which nobody could catch up.
    func shift(by span: Milliseconds) { behindSince = behindSince.map { $0 + span } }

    /// Whether it is known who this is.
    var isIdentified: Bool { stage != .identifying && stage != .closed }

    /// Whether this member counts for those who look who is there.
    var isGreeted: Bool { stage != .new && isIdentified }

    private var isResuming: Bool { if case .resuming = stage { true } else { false } }

    /// Caught up by one `welcome`, or by a `resume` and its events; behind them the answers it was owed.
    func catchUp(with frames: [Frame]) {
        behindSince = nil
        for frame in frames + owed { channel.send(frame) }
        owed = []
    }

    func close(_ code: CloseCode, _ reason: String) {
        guard stage != .closed else { return }
        stage = .closed
        room.edge.tellHome(whose: self, nil)
        channel.close(code, reason)
    }
}

/// Who has said hello on a connection.
struct Player: Equatable {
    let id: PlayerID
    var name: String
    /// SHA-256 of the token, in hex.
    let tokenHash: String
}

/// How often a connection may say something: each limit a rate a second, and twice as many at once.
struct Allowance {
    private var messages = RateLimit()
    private var refusals = RateLimit()
    private var hellos = RateLimit()
    private var lines = RateLimit()

    mutating func takeMessage(_ limits: HubLimits, now: Milliseconds) throws(Rejection) {
        guard messages.take(perSecond: limits.messagesPerSecond, now: now) else {
            throw .tooFast(limits.messagesPerSecond, "messages")
        }
    }

    /// False where so many messages have been refused that the connection is to be closed.
    mutating func refuse(_ limits: HubLimits, now: Milliseconds) -> Bool {
        refusals.take(perSecond: limits.refusalsPerSecond, now: now)
    }

    mutating func takeHello(_ limits: HubLimits, now: Milliseconds) -> Bool {
        hellos.take(perSecond: limits.hellosPerSecond, now: now)
    }

    mutating func takeLine(_ limits: HubLimits, now: Milliseconds) -> Bool {
        lines.take(perSecond: limits.linesPerSecond, now: now)
    }
}

/// A token bucket, as the one number that it comes to: when all that was taken would have come at the rate, in µs.
private struct RateLimit {
    private var spentUntil = 0

    mutating func take(perSecond: Int, now: Milliseconds) -> Bool {
        let now = now * 1_000
        let spent = max(spentUntil, now) + 1_000_000 / perSecond
        guard spent <= now + 2_000_000 else { return false }
        spentUntil = spent
        return true
    }
}
