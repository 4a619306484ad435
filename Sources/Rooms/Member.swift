import EventStore
import Games
import RoomRules
import Transport
import WebProtocols

/// A connection as its room sees it: a WebSocket, here or at another node, or a script in tests.
public protocol MemberChannel: AnyObject {
    /// The client.
    var peer: Peer { get }
    /// For this client alone. Appended to what is to be sent; goes out at the end of the loop's turn.
    func send(_ frame: Frame)
    /// Brings the client up to now, whatever was left out for it. False where the way there takes no more just now: it
    /// is to be greeted once it does.
    func greet(_ frames: [Frame]) -> Bool
    /// One of those to whom this is sent. `number`: the same for all of them, and another than for the last one.
    func broadcast(_ frame: Frame, number: UInt64)
    /// The client gets no more broadcasts until it is greeted again.
    func pause()
    /// Whether others do not wait for what is sent to this one.
    var isServedLast: Bool { get set }
    /// What the socket has not taken yet.
    var queuedBytes: Int { get }
    func close(_ code: CloseCode, _ reason: String)
}

/// A connection whose socket is on this node: what is for all goes to each.
public protocol SocketChannel: MemberChannel {}

extension SocketChannel {
    public func greet(_ frames: [Frame]) -> Bool {
        for frame in frames { send(frame) }
        return true
    }
    public func broadcast(_ frame: Frame, number: UInt64) { send(frame) }
    public func pause() {}
}

/// A WebSocket that was opened for a room: a member of it, or of a room at another node.
public protocol RoomConnection: AnyObject {
    func close(_ code: CloseCode, _ reason: String)
}

/// Names a member to the room's home, and to nobody else.
typealias MemberID = UInt64

/// Somebody in a room: one connection. A player may have several.
public final class Member: RoomConnection {
    /// Past so many bytes that wait for a slow member, one `welcome` replaces the events it missed. Not below the
    /// transport's `inputPauseBytes`, which tells when all of them have been taken.
    public static let queueLimitBytes = 256 * 1024
    /// Most answers kept for a member that is behind: more means that it sends and never reads.
    public static let owedLimit = 64
    /// Longest time that a member may be behind before it is closed.
    public static let behindLimit: Milliseconds = 30_000
    /// Longest time that a connection may be there without saying hello.
    static let helloLimit: Milliseconds = 30_000

    public enum Stage: Equatable {
        /// Has not said hello yet.
        case new
        /// Hello has been said; the token is being looked up.
        case identifying
        /// Older events are being read from the log for it; those that come meanwhile wait.
        case resuming(held: [Frame])
        case live
        case closed
    }

    public let channel: any MemberChannel
    public let room: Room
    /// Given by the room's edge, the later the greater.
    var id: MemberID = 0
    let since: Milliseconds
    public var stage = Stage.new {
        didSet { if oldValue == .live, stage != .live, stage != .closed { channel.pause() } }
    }
    /// Nil: a spectator without a name.
    var player: Player? { didSet { room.edge.playerChanged(of: self, from: oldValue?.id) } }
    /// Whose connection this is, as the room's home was told last.
    var toldAs: PlayerID?
    /// Whether the home was told of it as of somebody who is nobody.
    var isToldNameless = false
    /// Whether the room's edge has it among those who are behind.
    var isNoted = false
    /// Whether a greeting of this connection has begun: what it brings may still be read.
    var hasBeenGreeted = false
    /// Whether its next greeting has to say that the log has gone back.
    var owesDivergence = false
    /// By which older events are being read for it.
    var resume: Ticket?
    private var allowance = Allowance()
    private var backlog: Backlog?

    /// What few members have at a time, and then only for a while.
    private final class Backlog {
        var earlyMessages: [ClientMessage] = []
        var behindSince: Milliseconds?
        var owed: [Frame] = []

        var isEmpty: Bool { earlyMessages.isEmpty && behindSince == nil && owed.isEmpty }
    }

    init(channel: any MemberChannel, room: Room, now: Milliseconds) {
        self.channel = channel
        self.room = room
        since = now
    }

    private var surroundings: RoomSurroundings { room.edge.surroundings }

    /// Made where there is none yet.
    private var madeBacklog: Backlog {
        if let backlog { return backlog }
        let made = Backlog()
        backlog = made
        return made
    }

    public var behindSince: Milliseconds? { backlog?.behindSince }

    /// How many messages have come before hello was answered.
    var earlyCount: Int { backlog?.earlyMessages.count ?? 0 }

    /// Keeps a message until hello is answered.
    func keep(_ message: ClientMessage) { madeBacklog.earlyMessages.append(message) }

    /// Hello has been answered: what came before, in order.
    func takeEarlyMessages() -> [ClientMessage] {
        defer {
            backlog?.earlyMessages = []
            if backlog?.isEmpty == true { backlog = nil }
        }
        return backlog?.earlyMessages ?? []
    }

    /// Throws where this message comes too fast.
    func takeMessage() throws(Rejection) { try allowance.takeMessage(surroundings) }

    /// Answers a message that came too fast; closes where there are far too many.
    func refuse(_ rejection: Rejection) {
        guard allowance.refuse(surroundings) else { return close(.policyViolation, "you are sending far too fast") }
        answer(HubMessage.error(nil, rejection))
    }

    /// False where this hello comes too fast.
    func mayGreet() -> Bool { allowance.takeHello(surroundings) }

    /// False where this line of chat comes too fast.
    func maySay() -> Bool { allowance.takeLine(surroundings) }

    /// An event: skipped by a member that is behind, since a `welcome` will stand for it.
    func event(_ frame: Frame, broadcast number: UInt64, now: Milliseconds) {
        switch stage {
        case .live:
            if behindSince == nil, channel.queuedBytes > Self.queueLimitBytes { fallBehind(now: now) }
            if behindSince == nil { channel.broadcast(frame, number: number) } else { counters.leftOut.add() }
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
        guard madeBacklog.owed.count < Self.owedLimit else {
            counters.hit(.owedAnswers)
            return close(.tryAgainLater, "you send but do not read")
        }
        madeBacklog.owed.append(frame)
    }

    /// What has become of a command: behind the greeting that brings its events, where one is on its way. Bounded by
    /// the commands that a room lets wait.
    func answerCommand(_ frame: Frame) {
        if stage == .identifying { madeBacklog.owed.append(frame) } else { answer(frame) }
    }

    public func fallBehind(now: Milliseconds) {
        if behindSince == nil { counters.fallsBehind.add() }
        madeBacklog.behindSince = behindSince ?? now
        room.edge.noteBehind(self)
    }

    /// Has fallen behind later by `span`, in which nobody could catch up.
    func shift(by span: Milliseconds) { backlog?.behindSince? += span }

    private var counters: HubCounters { surroundings.counters }

    /// Whether this member counts for those who look who is there: also while another hello of its is being looked up.
    var isGreeted: Bool { hasBeenGreeted && stage != .closed }

    private var isResuming: Bool { if case .resuming = stage { true } else { false } }

    /// Caught up by one `welcome`, or by a `resume` and its events; behind them the answers it was owed.
    /// False where they cannot be sent now: it is behind, and is greeted later.
    func catchUp(with frames: [Frame]) -> Bool {
        guard channel.greet(frames) else {
            fallBehind(now: room.stream.now)
            return false
        }
        let owed = backlog?.owed ?? []
        backlog?.behindSince = nil
        backlog?.owed = []
        if backlog?.isEmpty == true { backlog = nil }
        for frame in owed { channel.send(frame) }
        return true
    }

    public func close(_ code: CloseCode, _ reason: String) {
        guard stage != .closed else { return }
        stage = .closed
        room.edge.tellHome(whose: self, nil)
        channel.close(code, reason)
    }
}

/// Who has said hello on a connection. An object, since most who watch never say who they are.
public final class Player {
    let id: PlayerID
    var name: String
    /// SHA-256 of the token, in hex.
    let tokenHash: String

    public init(id: PlayerID, name: String, tokenHash: String) {
        (self.id, self.name, self.tokenHash) = (id, name, tokenHash)
    }
}
