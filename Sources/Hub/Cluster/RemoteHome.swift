import Cryptography
import EventStore
import Games
import WebProtocols

/// The home of a room that is on another node: passes on what the edge here asks, and has the room here fold what is
/// shown there. What it has missed it reads from the log.
final class RemoteHome: RoomHomePort {
    /// Most events that wait for others before them, which are being read: what is past it is read, too.
    static let pendingLimit = 1_024
    /// Most that one member may have asked for and not been answered: as many answers as are kept for one that is slow.
    static let unansweredLimit = Member.owedLimit
    /// A home that cannot be had, or a log that does not hold yet what the home has, is asked again after so long.
    static let retryPause: Milliseconds = 1_000

    let node: NodeName
    private let stream: RoomStream
    private let surroundings: RoomSurroundings
    /// What is told to the room. Weak, since the room owns this.
    weak var room: Room?
    /// Of what is said between this and the home, so that nothing is taken for a part of another one; nil: the home
    /// does not know of this node.
    private var session: NodeSession?
    /// The newest by which the home has known who is here, and may still.
    private(set) var lastSession: NodeSession?
    /// Whether the home tells this node what is shown.
    private var isAttached = false
    /// Since when no home has heard those who are here; nil: one does, or they have just come.
    private(set) var unheardSince: Milliseconds?
    /// Whether others have come or gone since the home was told who is here.
    private var hasNewAudience = false
    /// What players have done since then, which is no command.
    private var missed = MissedReports() {
        didSet { missedSince = missed.isEmpty ? nil : missedSince ?? surroundings.now }
    }
    private var missedSince: Milliseconds?
    /// Whether the home is waited for that may not know yet that it is: once.
    private var awaitsHome = true
    /// Whether what the log holds is being read, and whether once more behind that.
    private(set) var isReading = false
    private var mustReadAgain = false
    /// The newest version that the home is known to have.
    private var knownVersion = 0
    /// Events that came while others before them are missing, in order.
    private var pending: [(event: LinkedEvent, behind: Digest)] = []
    /// What members have asked for, in order: asked again of each home, under the same ids.
    private var unanswered: [RoomMessage]
    /// Answers that wait for what the home has shown before, in order. What they answer is unanswered until then: the
    /// log may lose what they are about.
    private var early: [(version: Int, address: ReplyAddress, answer: Frame)] = []

    /// - Parameters:
    ///   - waiting: of the home before.
    ///   - unheardSince: since when there is none that hears who is here.
    ///   - lastSession: by which the same node may know who is here.
    init(
        at node: NodeName, stream: RoomStream, surroundings: RoomSurroundings, waiting: [RoomMessage] = [],
        unheardSince: Milliseconds? = nil, lastSession: NodeSession? = nil
    ) {
        self.lastSession = lastSession
        (self.node, self.stream, self.surroundings) = (node, stream, surroundings)
        (unanswered, self.unheardSince) = (waiting.filter { $0.address != nil }, unheardSince)
        noteMissed(waiting)
    }

    private func noteMissed(_ waiting: [RoomMessage]) {
        for case .report(let report) in waiting { missed.note(report) }
    }

    private func tell(_ message: RoomMessage) {
        guard let session else { return }
        surroundings.cluster?.send(.room(stream.code, session, message), to: node)
    }

    // MARK: What the edge says

    func handle(_ request: RoomRequest) { if let message = RoomMessage(request) { ask(message) } }

    func say(_ said: Said, answering address: ReplyAddress) { ask(.say(said, answering: address)) }

    private func ask(_ message: RoomMessage) {
        guard let address = message.address else { return }
        guard unanswered.count(where: { $0.address?.member == address.member }) < Self.unansweredLimit else {
            surroundings.counters.hit(.waitingCommands)
            surroundings.counters.refused(.busy)
            room?.edge.receive(RoomAnswer(address: address, result: .refused(.busy)))
            return
        }
        unanswered.append(message)
        if isAttached { tell(message) }
    }

    func receive(_ report: AttendanceReport) {
        if isAttached { return tell(.report(report)) }
        hasNewAudience = true
        missed.note(report)
    }

    // The home counts for itself.
    func receive(_ count: PresenceCount) {}

    /// The home hears of names for itself, but may have heard of this one ahead of what was said here with the old one.
    func note(_ name: String, of player: PlayerID) {
        guard let edge = room?.edge, edge.greeted[player] != nil else { return }
        guard isAttached else { return hasNewAudience = true }
        // One connection more, by the new name, and one less.
        tell(.report(.came(player, name: name)))
        tell(.report(.went(player)))
    }

    func readFurther() {
        mustReadAgain = isReading
        begin()
    }

    /// Nobody waits for its answers any more.
    func forget(_ member: MemberID) { unanswered.removeAll { $0.address?.member == member } }

    // MARK: Coming and going

    /// Reads what the log holds; then asks the home to be told what comes behind, and goes on from there.
    func begin() {
        guard !isReading else { return }
        (isReading, mustReadAgain) = (true, false)
        let before = stream.readVersion
        // The newest record that is known must still be there.
        surroundings.load(stream.name, after: max(0, before - 1), limit: .max) { [self] result in
            isReading = false
            guard let room, room.remote === self else { return }
            switch result {
            case .success(let records):
                if records.isEmpty, before > 0 { return room.streamHasGoneBack() }
                room.receive(records.map { LinkedEvent($0).record(in: stream.name) })
                guard room.remote === self else { return }
                if mustReadAgain { return begin() }
                if !stream.isReadAnew { room.edge.bringThoseAhead() }
                if isAttached, stream.readVersion == before, before < knownVersion {
                    // It has read what the log does not hold: told anew what there is here, it looks for itself.
                    forgetHome()
                    room.askHomeLater()
                } else {
                    goOn()
                }
            case .failure(let error): room.couldNotReadBehindHome(error)
            }
        }
    }

    private func goOn() {
        guard let room, room.life != .broken, !isReading else { return }
        guard stream.readVersion > 0 else { return room.caughtUp() }
        // Members who were here with the home before need not wait for the next one.
        if room.edge.shownVersion > 0 { room.caughtUp() }
        guard room.remote === self else { return }
        guard isAttached else { return attach() }
        takePending()
        if stream.readVersion < knownVersion { begin() } else { room.caughtUp() }
    }

    private func attach() {
        guard session == nil, let room else { return }
        if awaitsHome, surroundings.cluster?.isBehind(node) == true {
            awaitsHome = false
            return room.askHomeLater()
        }
        session = NodeSession(surroundings.random)
        lastSession = session
        hasNewAudience = false
        tell(
            .attach(
                Attachment(audience: room.edge.audience, said: room.edge.said, end: stream.readEnd, since: unheardSince)
            ))
    }

    /// Whether it has been told who is here.
    var isKnownAtHome: Bool { session != nil }

    /// The home knows by now that it is.
    func homeKnows() { if session == nil { begin() } }

    /// Whether no home will be told any more what was done here: for as long as an empty room stays awake.
    var maySleep: Bool { missedSince.map { surroundings.now - $0 >= surroundings.limits.sleepAfter } ?? true }

    /// Nobody here needs the room any more.
    func end() {
        if session == nil { session = lastSession }
        tell(.detach)
        lastSession = nil
        forgetHome()
    }

    /// Ends it: what this home has not answered, or was not told, for the next one. `isSame`: where that is on the same
    /// node, which is not told that nobody is here any more.
    func handBack(toSameNode isSame: Bool = false) -> [RoomMessage] {
        if isSame { forgetHome() } else { end() }
        defer { unanswered = [] }
        return missed.take().map { .report($0) } + unanswered
    }

    /// The link is none any more.
    func linkIsDown(since: Milliseconds) {
        unheardSince = unheardSince ?? since
        forgetHome()
    }

    /// The link was made anew: what was sent may not have come.
    func linkIsBack() {
        forgetHome()
        begin()
    }

    private func forgetHome() { (session, isAttached, knownVersion, pending, early) = (nil, false, 0, [], []) }

    // MARK: What the home says

    func receive(_ message: RoomMessage, in session: NodeSession) {
        guard session == self.session else { return }
        switch message {
        case .attached(let end, let said, let others):
            (isAttached, unheardSince) = (true, nil)
            knownVersion = max(knownVersion, end.version)
            room?.edge.replace(others: others)
            for said in said { _ = room?.edge.hear(said) }
            if hasNewAudience, let room { tell(.audience(room.edge.audience)) }
            for report in missed.take() { tell(.report(report)) }
            for message in unanswered { tell(message) }
            // The log says which of the two it has lost.
            if end.version < stream.readVersion || end.version == stream.readVersion && end != stream.readEnd {
                return begin()
            }
            goOn()
        case .events(let events, var head):
            for event in events {
                pending.append((event, head))
                head = event.hash
            }
            knownVersion = max(knownVersion, events.last?.version ?? 0)
            takePending()
            guard self.session == session else { return }
            if pending.count > Self.pendingLimit { pending = [] }
            if stream.readVersion < knownVersion { begin() }
        case .answer(let address, let version, let text):
            early.append((version, address, Frame.text(text)))
            giveAnswers()
        case .others(let report): room?.edge.receive(others: report)
        case .said(let said): _ = room?.edge.hear(said)
        case .refused(let refusal):
            unheardSince = unheardSince ?? surroundings.now
            forgetHome()
            if refusal == .broken { room?.streamFailed("its home cannot read it") } else { room?.askHomeLater() }
        case .attach, .audience, .detach, .report, .command, .say: break
        }
    }

    /// Members have been shown more: an answer is not ahead of what it is about.
    func giveAnswers() {
        guard let room, !early.isEmpty else { return }
        let due = early.prefix { $0.version <= room.edge.shownVersion }
        early.removeFirst(due.count)
        for (_, address, answer) in due {
            // Nobody waits for it any more, or a home before has answered it, too.
            guard let index = unanswered.firstIndex(where: { $0.address == address }) else { continue }
            unanswered.remove(at: index)
            room.edge.receive(answer, for: address.member)
        }
    }

    /// Takes what follows on what is folded.
    private func takePending() {
        var end = stream.readEnd
        var taken: [Record] = []
        for (event, head) in pending {
            if event.version == end.version, event.hash != end.head { return doubtHome() }
            guard event.version == end.version + 1 else { continue }
            guard head == end.head else { return doubtHome() }
            let record = event.record(in: stream.name)
            taken.append(record)
            end = record.end
        }
        pending.removeAll { $0.event.version <= end.version }
        if !taken.isEmpty { room?.receive(taken) }
    }

    /// What it shows does not follow on what was read here: the log has lost the one or the other.
    private func doubtHome() {
        forgetHome()
        begin()
    }
}

/// Names what is said between an edge and a home from one `attach` on.
struct NodeSession: Equatable, Sendable {
    let number: UInt64

    init(_ number: UInt64) { self.number = number }

    /// One that there was not before, whichever run of a node draws it.
    init(_ random: any RandomSource) { number = random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
