import EventStore
import Games
import Records
import RoomRules
import Rooms
import Threads

/// Renews this node's lease once a second, finds nodes that are lost, and makes this node join and leave. Lives on the
/// first loop.
public final class NodeKeeper: LinkWatcher {
    /// How often a lease is renewed.
    static let pause: Milliseconds = 1_000
    /// How long after sending a renewal the node may judge. Shorter than `LeaseWatch.limit`, after which others declare
    /// it lost.
    static let leaseLength: Milliseconds = 3_000
    /// A loop that has not turned for longer keeps the node from renewing its lease.
    private static let turning: Milliseconds = 1_500

    enum Stage {
        case outside, joining
        /// The record is written. The others' time is checked again before it serves.
        case joined
        case inside, leaving, ended
    }

    /// When a renewal was sent.
    public struct Moment: Sendable {
        /// By the hub's clock.
        let time: Milliseconds
        /// By the machine's uptime.
        let boot: Nanoseconds
    }

    struct Loss {
        let node: NodeName
        /// How often the lease had been renewed; nil if that does not matter.
        let renewals: Int?
    }

    let surroundings: RoomSurroundings
    let loops: any NodeLoops
    let node: NodeRun
    private let leases: any LeaseStore
    let time: SharedTime
    /// The last turn of the loop that has been blocked for longest.
    private let lastTurned: () -> Milliseconds
    /// When all loops could last play their rooms, with all earlier losses in the log.
    let lastPlayed: () -> Milliseconds
    let post: @Sendable (NodeNotice) -> Void
    /// Weak, since the host owns this.
    weak var host: (any NodeHost)?
    let writer: HubStreamWriter
    var presence: PresenceExchange
    private var isRenewing = false
    /// Whether to renew again right after the current renewal.
    private var renewsAgain = false
    var peers = Peers()
    var releases = ReleaseWatch()
    /// Runs whose loss is being recorded.
    var losing: [String: Loss] = [:]
    /// Runs that have gone since this node started, the newest last, each with the time until which its rooms were owed
    /// nothing. No run comes back.
    var gone: [(run: String, settled: Milliseconds?)] = []
    /// Runs that hold rooms but are not in the stream. A database failover may have lost that they joined or left.
    var strays: [NodeRun] = []
    var stage = Stage.outside
    var leavesOnceInside = false
    var silences = SilenceWatch()
    /// Whether this node served at the newest renewal.
    var saysItServes = false
    /// Until when others count on this node after the newest renewal.
    private var leaseEnd: Milliseconds = 0
    /// The version of the stream `hub` in that renewal.
    private var hubVersion = 0
    /// The end of the stream `hub` as last read.
    var hubEnd: StreamEnd
    /// When it first joined; 0 before that.
    var joinedAt: Milliseconds = 0
    /// Loops that still have rooms to give up.
    var loopsLeaving = 0
    /// The last logged reason why it could not join.
    var toldObstacle: String?

    /// On the first loop, which `post` reaches from any thread. The history in `surroundings` goes up to `hubEnd`.
    public init(
        _ node: NodeRun, _ surroundings: RoomSurroundings, loops: any NodeLoops, leases: any LeaseStore,
        time: SharedTime, host: any NodeHost, hubEnd: StreamEnd, lastTurned: @escaping () -> Milliseconds,
        lastPlayed: @escaping () -> Milliseconds, post: @escaping @Sendable (NodeNotice) -> Void
    ) {
        (self.node, self.surroundings, self.loops, self.leases) = (node, surroundings, loops, leases)
        (self.time, self.host, self.post) = (time, host, post)
        (self.lastTurned, self.lastPlayed) = (lastTurned, lastPlayed)
        writer = HubStreamWriter(surroundings, behind: hubEnd)
        self.hubEnd = hubEnd
        presence = PresenceExchange(run: node.run, counts: surroundings.presence)
        writer.isWrong = { [unowned self] in isWrong($0) }
    }

    var roll: NodeRoll { surroundings.history.roll }

    /// Begins to renew the lease, after which it joins.
    public func start() {
        link()
        renewLease()
    }

    // MARK: The lease

    func renewLease() {
        guard stage != .ended else { return }
        surroundings.timers.arm(.node, at: surroundings.now + Self.pause)
        writer.writeMissingEntries()
        renew()
    }

    /// Renews, and if a renewal is running, again after it.
    func renewAgain() {
        renewsAgain = isRenewing
        renew()
    }

    /// Does nothing while a loop is blocked, so that others declare this node lost.
    func renew() {
        guard !isRenewing, surroundings.now - lastTurned() <= Self.turning else { return }
        isRenewing = true
        let reading = time.read()
        let sent = Moment(time: surroundings.now, boot: reading.boot)
        var note = NodeNote(node: node.node, address: node.address, now: sent.time, wall: reading.wall / 1_000_000)
        note.isJoining = stage == .outside || stage == .joining
        if joinedAt > 0 { note.settled = settled }
        (note.links, note.reads) = (peers.links.count(among: others), surroundings.games.eventTypes)
        (note.door, note.figures) = (host?.operatorDoor, host?.figures)
        saysItServes = !note.isJoining
        let report = silences.report(isServing: saysItServes, in: surroundings.history.outages, endingAt: hubEnd)
        leases.renew(note.bytes, presence: presence.report(), silences: report) { [post] result in
            post(.renewal(result, sent: sent))
        }
    }

    func leaseRenewed(_ result: Result<LeaseRenewal, EventLogError>, sent: Moment) {
        isRenewing = false
        presence.leasesRead(result, isThere: roll.has(run:))
        defer { if renewsAgain, stage != .ended { renewAgain() } }
        guard stage != .ended, case .success(let renewal) = result else { return }
        guard !renewal.isFenced else { return nodeEnded() }
        time.follow(renewal.time, between: sent.boot, and: time.boot)
        (leaseEnd, hubVersion) = (sent.time + Self.leaseLength, renewal.hubVersion)
        silences.leaseRenewed(
            renewal, isServing: saysItServes, sent: sent.boot, answered: time.boot, at: surroundings.now)
        runLease()
        peers.look(at: renewal)
        guard checkTime() else { return }
        if saysItServes {
            for outage in silences.takeUnrecorded(in: surroundings.history.outages) { writer.add(outage) }
        }
        if peers.findCandidates(among: renewal.leases, beside: roll, node) { link() }
        noteReleases()
        losing = losing.filter { run, loss in loss.renewals.map { !peers.hasRenewed(run, since: $0) } ?? true }
        for (other, sight) in peers.watch.look(at: renewal.leases, for: others + strays, now: surroundings.now) {
            lose(other, settled: sight.settled, renewals: sight.renewals)
        }
        // One that joins again still has rooms.
        if stage == .inside || stage == .outside && joinedAt > 0 { makeWay() }
        switch stage {
        case .outside: join()
        case .joined: serveIfMay()
        case .inside, .joining, .leaving, .ended: break
        }
    }

    /// Allows judging rooms under the newest renewal if all silences of its answer are in the log.
    private func runLease() {
        guard silences.areAllIn(surroundings.history.outages) else { return }
        loops.postToAll(.leaseRuns(until: leaseEnd, hubVersion: max(hubVersion, hubEnd.version)))
    }

    var others: [NodeRun] { roll.runs.filter { $0.run != node.run } }

    /// Records that a run is lost, unless it renews its lease more often than `renewals`.
    func lose(_ other: NodeRun, settled: Milliseconds, renewals: Int? = nil) {
        guard losing[other.run] == nil else { return }
        losing[other.run] = Loss(node: other.node, renewals: renewals)
        writer.add(NodeRecord.lost(run: other.run, settled: settled, renewals: renewals, at: surroundings.now))
    }

    /// A port where this run had listened refuses connections, so it has died or left.
    public func nobodyListens(at run: String) {
        guard stage == .inside, let other = roll.runs.first(where: { $0.run == run }) else { return }
        let sight = peers.watch[run]
        lose(other, settled: sight?.settled ?? surroundings.now, renewals: sight?.renewals)
    }

    // MARK: Links

    func link() {
        let runs = roll.runs + peers.candidates.filter { roll[$0.node] == nil }
        host?.link(to: runs.filter { $0.node != node.node })
    }

    /// A link to another node was made or lost.
    public func sees(_ sight: LinkSight, of other: NodeName) {
        peers.links.see(sight, of: other)
        if sight.isClosed { nobodyListens(at: sight.run) }
        // This node may have waited for that link.
        if stage == .outside, sight.isLinked { renew() }
    }

    /// If two nodes cannot be linked, one leaves. Otherwise clients of either could not reach the other's rooms.
    private func makeWay() {
        let (isServing, now) = (stage == .inside, surroundings.now)
        guard let winner = peers.winner(over: node.node, isServing: isServing, among: others, at: now) else { return }
        surroundings.loggers.write(.nodeNotLinked, ["other": "\(winner.node.text)"])
        leave()
    }

    // MARK: The stream

    /// A record of the stream `hub` was folded.
    public func recordAppended(_ record: Record) {
        writer.recordAppended(record)
        hubEnd = record.end
        if Outage(record)?.silence != nil {
            runLease()
            if stage == .joined { serveIfMay() }
        }
        if stage == .outside || stage == .joining, record.event.time > surroundings.now {
            guard checkTime(against: record.event.time, .nodeTimeBehindLog) || stage == .joining else { return }
        }
        guard let change = NodeRecord(record) else { return }
        noteGone(by: change)
        link()
        noteReleases()
        // Two nodes that start at once have not announced themselves to each other.
        if others.contains(where: { !releases.knows($0.run) }) { renewAgain() }
        switch stage {
        case .outside, .ended: break
        case .joining:
            if roll.has(run: node.run) {
                joined(at: change.time)
            } else if case .joined(node, _) = change {
                // The other run of this name was first.
                stage = .outside
            }
        case .joined, .inside, .leaving: if !roll.has(run: node.run) { nodeEnded() }
        }
    }
}
