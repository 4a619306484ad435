import Cryptography
import EventStore
import Games
import WebProtocols

/// The home of a room that is on another node: passes on what the edge here asks, and has the room here fold what is
/// shown there. What it has missed it reads from the log.
final class RemoteHome: RoomHomePort {
    /// Most events that wait for others before them, which are being read.
    static let pendingLimit = 1_024
    /// Most that one member may have asked for and not been answered.
    static let unansweredLimit = 64
    /// A home that cannot be had is asked again after so long.
    static let retryPause: Milliseconds = 1_000

    let node: NodeName
    private let stream: RoomStream
    private let surroundings: RoomSurroundings
    /// What is told to the room. Weak, since the room owns this.
    weak var room: Room?
    /// Whether what the log holds is being read.
    private var isReading = false
    /// Whether the home has been asked to tell what comes, and has been told who is here.
    private var hasAsked = false
    /// Where the home's stream ended when it said that this node is told what comes behind; nil: it has not yet.
    private var attachedAt: StreamEnd?
    /// Events that came while others before them are missing, in order.
    private var pending: [LinkedEvent] = []

    /// What members have asked for, in order: asked again of each home, under the same ids.
    private var unanswered: [RoomMessage]

    /// - Parameter unanswered: of the home before.
    init(
        at node: NodeName, stream: RoomStream, surroundings: RoomSurroundings, unanswered: [RoomMessage] = []
    ) {
        (self.node, self.stream, self.surroundings, self.unanswered) = (node, stream, surroundings, unanswered)
    }

    private func tell(_ body: RoomMessage) { surroundings.cluster?.send(.room(stream.code, body), to: node) }

    // MARK: What the edge says

    func handle(_ request: RoomRequest) { if let body = RoomMessage(request) { ask(body) } }

    // What is said before the home knows of this node is in what it is told then.
    func receive(_ report: AttendanceReport) { if hasAsked { tell(.report(report)) } }
    // The home counts for itself.
    func receive(_ count: PresenceCount) {}
    func say(_ said: Said, answering address: ReplyAddress) { ask(.say(said, answering: address)) }

    private func ask(_ body: RoomMessage) {
        guard let address = body.address else { return }
        guard unanswered.count(where: { $0.address?.member == address.member }) < Self.unansweredLimit else {
            surroundings.counters.hit(.waitingCommands)
            surroundings.counters.refused(.busy)
            room?.edge.receive(RoomAnswer(address: address, result: .refused(.busy)))
            return
        }
        unanswered.append(body)
        if attachedAt != nil { tell(body) }
    }

    /// What this home has not answered, for another one.
    func takeUnanswered() -> [RoomMessage] {
        end()
        defer { unanswered = [] }
        return unanswered
    }

    // MARK: Coming and going

    /// Reads what the log holds, then asks the home to be told what comes behind.
    func begin() { read() }

    /// Nobody here needs the room any more.
    func end() {
        if hasAsked { tell(.detach) }
        forgetHome()
    }

    /// The link was made anew: what was sent may not have come.
    func linkIsBack() {
        forgetHome()
        read()
    }

    private func forgetHome() { (hasAsked, attachedAt, pending) = (false, nil, []) }

    private func read() {
        guard !isReading else { return }
        isReading = true
        surroundings.load(stream.name, after: stream.readVersion, limit: .max) { [self] result in
            isReading = false
            guard room?.remote === self else { return }
            switch result {
            case .success(let records):
                room?.receive(records.map { LinkedEvent($0).record(in: stream.name) })
                goOn()
            case .failure(let error): room?.couldNotRead(error)
            }
        }
    }

    private func ask(_ audience: Audience) {
        guard !hasAsked else { return }
        hasAsked = true
        tell(.attach(audience))
    }

    private func goOn() {
        guard let room, room.life != .broken else { return }
        guard stream.readVersion > 0 else { return room.caughtUp() }
        guard let attachedAt else { return ask(room.edge.audience) }
        takePending()
        if let first = pending.first, first.version > stream.readVersion + 1 { return read() }
        if stream.readVersion >= attachedAt.version { room.caughtUp() } else { read() }
    }

    // MARK: What the home says

    func receive(_ body: RoomMessage) {
        switch body {
        case .attached(let end, let said, let others):
            attachedAt = end
            if let edge = room?.edge {
                for said in said { _ = edge.hear(said) }
                edge.replace(others: others)
            }
            for body in unanswered { tell(body) }
            goOn()
        case .events(let events):
            pending += events
            takePending()
            if pending.count > Self.pendingLimit { pending.removeAll() }
            if !pending.isEmpty { read() }
        case .answer(let address, let text):
            // Asked of two homes, it is answered by both.
            guard let index = unanswered.firstIndex(where: { $0.address == address }) else { return }
            unanswered.remove(at: index)
            room?.edge.receive(Frame.text(text), for: address.member)
        case .others(let report): room?.edge.receive(others: report)
        case .said(let said): _ = room?.edge.hear(said)
        case .refused(let refusal):
            forgetHome()
            room?.refused(refusal)
        case .attach, .detach, .report, .command, .say: break
        }
    }

    /// Takes what follows on what is folded.
    private func takePending() {
        var version = stream.readVersion
        var taken: [Record] = []
        for event in pending where event.version == version + 1 {
            taken.append(event.record(in: stream.name))
            version += 1
        }
        pending.removeAll { $0.version <= version }
        if !taken.isEmpty { room?.receive(taken) }
    }
}

// What a node's room does with what others say of it.
extension Room {
    func receive(_ body: RoomMessage, from node: NodeName) {
        if let remote {
            if node == remote.node { return remote.receive(body) }
            // It knows other nodes than this one does: it asks again.
            if case .attach = body { tell(.refused(.notHome), to: node) }
        } else {
            whenKnown(NodeVisit(body, from: node))
        }
    }

    /// The home says that it cannot be had there.
    func refused(_ refusal: RoomMessage.Refusal) {
        switch refusal {
        case .notHome, .unread: askHomeAgain()
        case .absent, .broken: streamFailed("its home says that it is \(refusal)")
        }
    }

    /// What an edge on another node says to the home here.
    fileprivate func receiveAsHome(_ body: RoomMessage, from node: NodeName) {
        guard let home, life == .awake else {
            if case .attach = body { tell(.refused(refusal), to: node) }
            return
        }
        if case .attach(let audience) = body { return home.attach(node, audience) }
        // It has not said that it is there, or was forgotten since.
        guard home.outposts.contains(node) else { return }
        switch body {
        case .detach: home.forget(node)
        case .report(let report): home.receive(report, from: node)
        case .command, .say: home.handle(body, from: node)
        case .attach, .attached, .refused, .events, .answer, .others, .said: break
        }
    }

    private var refusal: RoomMessage.Refusal {
        switch life {
        case .absent: .absent
        case .broken: .broken
        case .unread, .loading, .naming, .awake: .unread
        }
    }
}

/// A message that waits for a room to be known at its home, behind those that came before it.
private final class NodeVisit: RoomVisitor {
    private let body: RoomMessage
    private let node: NodeName

    init(_ body: RoomMessage, from node: NodeName) { (self.body, self.node) = (body, node) }

    func roomIsKnown(_ room: Room) { room.receiveAsHome(body, from: node) }
}
