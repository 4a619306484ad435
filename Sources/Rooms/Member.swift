import Games
import RoomRules
import Transport
import WebProtocols

/// A connection as its room sees it: a WebSocket on this or another node, or a script in tests.
public protocol MemberChannel: AnyObject {
    /// The client.
    var peer: Peer { get }
    /// Queues a frame for this client alone, to be sent at the end of the loop's turn.
    func send(_ frame: Frame)
    /// Queues a frame for this client alone. It may be left out, since the next greeting has what it says, or newer.
    func sendReplaceable(_ frame: Frame)
    /// Brings the client up to date after frames were left out. False if the way to it can take no more now. It is then
    /// greeted once it can.
    func greet(_ frames: [Frame]) -> Bool
    /// Sends a frame that goes to many members. `number` is the same for all of them, and new for each broadcast.
    func broadcast(_ frame: Frame, number: UInt64)
    /// The client gets no more broadcasts until it is greeted again.
    func pause()
    /// Whether its frames are sent after those of other members.
    var isServedLast: Bool { get set }
    /// Bytes that the socket has not taken yet.
    var queuedBytes: Int { get }
    func close(_ code: CloseCode, _ reason: String)
}

/// A connection whose socket is on this node. Each gets its own copy of a broadcast.
public protocol SocketChannel: MemberChannel {}

extension SocketChannel {
    public func greet(_ frames: [Frame]) -> Bool {
        for frame in frames { send(frame) }
        return true
    }
    public func sendReplaceable(_ frame: Frame) { send(frame) }
    public func broadcast(_ frame: Frame, number: UInt64) { send(frame) }
    public func pause() {}
}

/// A client's WebSocket, as the hub serves it: in a room here or at another node, or in the lobby.
public protocol HubConnection: AnyObject {
    /// A text message has arrived.
    func messageArrived(_ bytes: RawSpan)
    /// The socket has taken everything that waited; see `LoopService.drained`.
    func drained()
    /// The socket has ended. The last call.
    func closed()
    func close(_ code: CloseCode, _ reason: String)
}

/// Names a member, to the room's home only.
typealias MemberID = UInt64

/// One connection in a room. A player may have several.
public final class Member: HubConnection {
    /// Once more bytes than this wait for a slow member, one `welcome` replaces the events it missed. At least the
    /// transport's `inputPauseBytes`, past which the transport reports when all bytes have been taken.
    public static let queueLimitBytes = 256 * 1024
    /// Most answers kept for a member that is behind. One with more sends and never reads.
    public static let owedLimit = 64
    /// Longest time that a member may be behind before it is closed.
    public static let behindLimit: Milliseconds = 30_000
    /// Longest time that a connection may stay open without a hello.
    static let helloLimit: Milliseconds = 30_000

    enum Stage: Equatable {
        /// Has not said hello yet.
        case new
        /// Its hello has arrived, and the token is being looked up.
        case identifying
        /// Older events are being read from the log for it. New ones wait in `held`.
        case resuming(held: [Frame])
        case live
        case closed
    }

    public let channel: any MemberChannel
    public let room: Room
    private let desk: MemberDesk
    /// Given by the room's edge, in ascending order.
    var id: MemberID = 0
    let since: Milliseconds
    var stage = Stage.new {
        didSet { if oldValue == .live, stage != .live, stage != .closed { channel.pause() } }
    }
    /// Nil for a spectator without a name.
    var player: Player? { didSet { room.edge.playerChanged(of: self, from: oldValue?.id) } }
    /// As whom the room's edge counts it, and has told the home.
    var counted = ConnectionCounts.Counted.nobody
    /// Whether it is among `membersBehind`.
    private var isListedBehind = false
    /// Whether a greeting has started. Its events may still be being read.
    var hasBeenGreeted = false
    /// Whether its next greeting has to say that the log has gone back.
    var owesDivergence = false
    /// While it resumes.
    var resume: Resume?
    private var allowance = Allowance()
    private var backlog: Backlog?

    /// What only few members need, and only for a while.
    private final class Backlog {
        var earlyMessages: [ClientMessage] = []
        var behindSince: Milliseconds?
        var owed: [Frame] = []

        var isEmpty: Bool { earlyMessages.isEmpty && behindSince == nil && owed.isEmpty }
    }

    init(channel: any MemberChannel, room: Room, desk: MemberDesk, now: Milliseconds) {
        (self.channel, self.room, self.desk, since) = (channel, room, desk, now)
    }

    public func messageArrived(_ bytes: RawSpan) { desk.messageArrived(bytes, from: self) }
    public func drained() { room.edge.drained(self) }
    public func closed() { desk.closed(self) }

    private var surroundings: RoomSurroundings { room.edge.surroundings }

    /// Creates one if there is none.
    private var madeBacklog: Backlog {
        if let backlog { return backlog }
        let made = Backlog()
        backlog = made
        return made
    }

    public var behindSince: Milliseconds? { backlog?.behindSince }
    /// Greeted, with all events up to now.
    public var isLive: Bool { if case .live = stage { true } else { false } }

    /// How many messages came before hello was answered.
    var earlyCount: Int { backlog?.earlyMessages.count ?? 0 }

    /// Keeps a message until hello is answered.
    func keep(_ message: ClientMessage) { madeBacklog.earlyMessages.append(message) }

    /// Removes and returns the messages that came before hello was answered, in order.
    func takeEarlyMessages() -> [ClientMessage] {
        defer {
            backlog?.earlyMessages = []
            if backlog?.isEmpty == true { backlog = nil }
        }
        return backlog?.earlyMessages ?? []
    }

    /// Throws if this message comes too fast.
    func takeMessage() throws(Rejection) { try allowance.takeMessage(surroundings) }

    /// Answers a message that came too fast, or closes the connection if there are far too many.
    func refuse(_ rejection: Rejection) {
        guard allowance.refuse(surroundings) else { return close(.policyViolation, "you are sending far too fast") }
        answer(HubMessage.error(nil, rejection))
    }

    /// False if this hello comes too fast.
    func mayGreet() -> Bool { allowance.takeHello(surroundings) }

    /// False if this line of chat comes too fast.
    func maySay() -> Bool { allowance.takeLine(surroundings) }

    /// Sends an event. A member that is behind does not get it, since a `welcome` will replace it.
    func sendEvent(_ frame: Frame, broadcast number: UInt64, now: Milliseconds) {
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

    /// Sends an answer or a pong to this member alone. While the member is behind or resumes, it is kept, and follows
    /// the events that it is about.
    func answer(_ frame: Frame) {
        guard stage != .closed else { return }
        guard behindSince != nil || isResuming else { return channel.send(frame) }
        guard madeBacklog.owed.count < Self.owedLimit else {
            counters.hit(.owedAnswers)
            return close(.tryAgainLater, "you send but do not read")
        }
        madeBacklog.owed.append(frame)
    }

    /// Answers a command. If a greeting that brings its events is on its way, the answer follows it. A room's limit of
    /// waiting commands bounds these.
    func answerCommand(_ frame: Frame) {
        if stage == .identifying { madeBacklog.owed.append(frame) } else { answer(frame) }
    }

    /// It is checked again at the turn's end, since nothing may wait for its socket.
    public func fallBehind(now: Milliseconds) {
        if behindSince == nil { counters.fallsBehind.add() }
        madeBacklog.behindSince = behindSince ?? now
        guard !isListedBehind else { return }
        isListedBehind = true
        surroundings.membersBehind.append(self)
    }

    /// The turn in which it fell behind ends.
    public func turnEnded() {
        isListedBehind = false
        catchUpIfDrained()
    }

    /// Brings it up to date if its socket has nothing left to take. Otherwise that follows once it has taken all.
    func catchUpIfDrained() { if channel.queuedBytes == 0 { room.edge.drained(self) } }

    /// Moves `behindSince` by `span`, in which no member could catch up.
    func shift(by span: Milliseconds) { backlog?.behindSince? += span }

    private var counters: HubCounters { surroundings.counters }

    /// Whether presence counts this member. It still does while another hello of this member is being looked up.
    var isGreeted: Bool { hasBeenGreeted && stage != .closed }

    var isResuming: Bool { if case .resuming = stage { true } else { false } }

    /// Sends one `welcome`, or a `resume` and its events, and then the answers that were kept. False if they cannot be
    /// sent now: the member is behind, and is greeted later.
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
        room.edge.count(self)
        channel.close(code, reason)
    }
}

/// The player who said hello on a connection. A class, since most spectators have none.
public final class Player {
    let id: PlayerID
    var name: String
    /// SHA-256 of the token, in hex.
    let tokenHash: String

    public init(id: PlayerID, name: String, tokenHash: String) {
        (self.id, self.name, self.tokenHash) = (id, name, tokenHash)
    }
}
