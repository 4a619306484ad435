import EventStore
import Games
import Records
import RoomRules
import Rooms
import WebProtocols

/// Finds the home of a room that is not awake on this loop, when a client comes to it or its deadline is near, by
/// claiming the room. A room that it gets is woken here. Clients of a room that another run has are relayed there.
final class ClaimDesk {
    /// How long a connection waits for a home that cannot be reached.
    static let patience: Milliseconds = 10_000
    /// The pause before the room is claimed again.
    static let retryPause: Milliseconds = 1_000

    private let surroundings: RoomSurroundings
    private let cluster: ServingNodes
    private let rooms: AwakeRooms
    private let members: MemberDesk
    private let relays: RelayDesk
    private let loops: any NodeLoops
    /// The rooms whose home is wanted, by code. No one waits if the room is claimed for its deadline.
    private var seekers: [String: Seekers] = [:]
    /// Rooms that are being claimed, and when that was requested.
    private var claiming: [Ticket: (code: String, at: Milliseconds)] = [:]
    /// Rooms that this loop has claimed.
    private var claimed: Set<String> = []
    /// Rooms that are being released, and what is called after that.
    private var releasing: [Ticket: (release: Release, then: () -> Void)] = [:]
    /// Releases that failed, by the room's code. They are tried again unless the room is woken first.
    private var unreleased: [String: Release] = [:]
    private var isTimerArmed = false

    private struct Release {
        let code: String
        /// Since when time is lost to the room; nil if none is.
        let owed: Milliseconds?
        let time: Milliseconds
    }

    private struct Seekers {
        let since: Milliseconds
        var arrivals: [WaitingConnection] = []
        /// Called when it is known whether the room is here, or after `patience`.
        var visitors: [() -> Void] = []
        /// Whether a claim of the room is under way.
        var isBeingClaimed = false
    }

    init(
        _ surroundings: RoomSurroundings, _ cluster: ServingNodes, rooms: AwakeRooms, members: MemberDesk,
        relays: RelayDesk, loops: any NodeLoops
    ) {
        (self.surroundings, self.cluster, self.rooms) = (surroundings, cluster, rooms)
        (self.members, self.relays, self.loops) = (members, relays, loops)
    }

    // MARK: Arrivals

    /// A connection to the room `code`, which is not awake here and whose home is not known.
    func enter(_ channel: any SocketChannel, room code: String) -> WaitingConnection? {
        guard cluster.mayServe else {
            channel.close(.serviceRestart, AwakeRooms.elsewhere)
            return nil
        }
        let arrival = WaitingConnection(channel, room: code, at: self, now: surroundings.now)
        findHome(of: code) { $0.arrivals.append(arrival) }
        return arrival
    }

    /// A text message of a client whose room's home is not known.
    func messageArrived(_ bytes: RawSpan, from arrival: WaitingConnection) {
        guard !arrival.isClosed else { return }
        // One more, for the hello.
        guard arrival.keep(bytes.array, limit: surroundings.limits.earlyMessages + 1) else {
            surroundings.counters.hit(.earlyMessages)
            closed(arrival)
            return arrival.close(.policyViolation, "too many messages before hello was answered")
        }
    }

    func closed(_ arrival: WaitingConnection) {
        seekers[arrival.code]?.arrivals.removeAll { $0 === arrival }
    }

    // MARK: Claims

    /// The room is due, or another node expects it here. It is woken unless another run has it. `then` is called when
    /// it is known whether the room is here.
    func wake(_ code: String, then: (() -> Void)? = nil) {
        guard cluster.mayServe, rooms[code] == nil else { return then?() ?? () }
        findHome(of: code) { if let then { $0.visitors.append(then) } }
    }

    private func findHome(of code: String, _ add: (inout Seekers) -> Void) {
        let isBeingFound = seekers[code] != nil
        add(&seekers[code, default: Seekers(since: surroundings.now)])
        guard !isBeingFound else { return }
        claim(code)
        armTimer()
    }

    private func claim(_ code: String) {
        let ticket = surroundings.log.ticket(for: self)
        claiming[ticket] = (code, surroundings.now)
        seekers[code]?.isBeingClaimed = true
        surroundings.log.handOver()
        cluster.log.claim(.room(code), ticket: ticket, answer: surroundings.log.inbox)
    }

    private func claimAnswered(_ code: String, asked time: Milliseconds, _ result: Result<Claim, EventLogError>) {
        seekers[code]?.isBeingClaimed = false
        guard case .success(let claim) = result else { return retryLater(code) }
        guard let holder = claim.holder, holder != surroundings.run else {
            let unreleased = unreleased.removeValue(forKey: code)
            let claim = unreleased.map { claim.owing(since: $0.owed, vacant: $0.time) } ?? claim
            guard claim.owesNothing(after: surroundings.waited(for: claim, until: time)) else {
                return serve(code, claim, asked: time)
            }
            // No one has waited since it was given up, so none of that time is lost.
            surroundings.log.handOver()
            cluster.log.release(.room(code), owed: nil, at: surroundings.now, ticket: 0, answer: surroundings.log.inbox)
            return self.claim(code)
        }
        claimed.remove(code)
        if surroundings.history.roll[run: holder] == nil { loops.post(.holderIsUnknown(run: holder), to: 0) }
        if let node = surroundings.history.roll[run: holder]?.node, relays.isLinked(to: node) {
            relay(code, to: node)
        } else {
            retryLater(code)
        }
    }

    /// The claim is this node's, or no one's because there is no such room.
    private func serve(_ code: String, _ claim: Claim, asked time: Milliseconds) {
        if claim.holder != nil { claimed.insert(code) }
        guard let waiting = seekers.removeValue(forKey: code) else { return giveBack(code, claim) {} }
        guard cluster.mayServe else {
            return giveBack(code, claim) { [self] in sendAway(waiting, .serviceRestart, AwakeRooms.elsewhere) }
        }
        guard rooms.wake(code, taking: claim, at: time) != nil else {
            return giveBack(code, claim) { [self] in
                sendAway(waiting, .tryAgainLater, "this room has too many connections")
            }
        }
        defer { for visitor in waiting.visitors { visitor() } }
        for arrival in waiting.arrivals where !arrival.isClosed {
            if let member = members.enter(arrival.channel, room: code) { arrival.become(member) }
        }
    }

    /// The room cannot be woken here. Its next home owes the time that this one was told about.
    private func giveBack(_ code: String, _ claim: Claim, then: @escaping () -> Void) {
        release(code, owed: claim.since, at: claim.vacant, then: then)
    }

    private func relay(_ code: String, to node: NodeName) {
        guard let waiting = seekers.removeValue(forKey: code) else { return }
        guard cluster.mayServe else { return sendAway(waiting, .serviceRestart, AwakeRooms.elsewhere) }
        for visitor in waiting.visitors { visitor() }
        for arrival in waiting.arrivals where !arrival.isClosed {
            arrival.become(relays.enter(arrival.channel, room: code, at: node))
        }
    }

    private func sendAway(_ gone: Seekers, _ code: CloseCode, _ reason: String) {
        for visitor in gone.visitors { visitor() }
        for arrival in gone.arrivals { arrival.close(code, reason) }
    }

    /// The room's home or the log cannot be reached. The claim is tried again if a client waits for it.
    private func retryLater(_ code: String) {
        let visitors = seekers[code]?.visitors ?? []
        seekers[code]?.visitors = []
        for visitor in visitors { visitor() }
        if seekers[code]?.arrivals.isEmpty != false { seekers[code] = nil }
        armTimer()
    }

    /// Claims all rooms again that clients wait for, and closes connections that have waited too long.
    func retry() {
        for (code, var waiting) in seekers.sorted(by: { $0.key < $1.key }) {
            let late = waiting.arrivals.filter { surroundings.now - $0.since > Self.patience }
            waiting.arrivals.removeAll { surroundings.now - $0.since > Self.patience }
            let visitors = surroundings.now - waiting.since > Self.patience ? waiting.visitors : []
            if !visitors.isEmpty { waiting.visitors = [] }
            seekers[code] = waiting
            for arrival in late { arrival.close(.tryAgainLater, "the room cannot be reached right now") }
            for visitor in visitors { visitor() }
            // A claim that is under way may succeed. If so it is released before its clients are sent away.
            guard !waiting.isBeingClaimed else { continue }
            if cluster.mayServe, !waiting.arrivals.isEmpty {
                claim(code)
            } else {
                seekers[code] = nil
                sendAway(waiting, .serviceRestart, AwakeRooms.elsewhere)
            }
        }
        armTimer()
    }

    private func armTimer() {
        guard !isTimerArmed, !seekers.isEmpty || !unreleased.isEmpty else { return }
        isTimerArmed = true
        surroundings.timers.arm(.claims, at: surroundings.now + Self.retryPause)
    }

    func timerFired() {
        isTimerArmed = false
        // A room that a client waits for is claimed instead, and owes what the release says.
        for release in unreleased.values.sorted(by: { $0.code < $1.code }) where seekers[release.code] == nil {
            unreleased[release.code] = nil
            if rooms[release.code] == nil { letGo(by: release) }
        }
        retry()
    }

    /// The room is no longer awake here since `time`, or now. `owed` is since when time is lost to it; nil if none is.
    func release(
        _ code: String, owed: Milliseconds? = nil, at time: Milliseconds? = nil, then: @escaping () -> Void = {}
    ) {
        guard claimed.remove(code) != nil else { return then() }
        letGo(by: Release(code: code, owed: owed, time: time ?? surroundings.now), then: then)
    }

    private func letGo(by release: Release, then: @escaping () -> Void = {}) {
        let ticket = surroundings.log.ticket(for: self)
        releasing[ticket] = (release, then)
        surroundings.log.handOver()
        cluster.log.release(
            .room(release.code), owed: release.owed, at: release.time, ticket: ticket, answer: surroundings.log.inbox)
    }

    private func releaseAnswered(_ ticket: Ticket, _ result: Result<StreamName, EventLogError>) {
        guard let (release, then) = releasing.removeValue(forKey: ticket) else { return }
        if case .failure = result {
            unreleased[release.code] = release
            armTimer()
        }
        then()
    }

    /// Another run has claimed the room.
    func claimLost(_ code: String) { claimed.remove(code) }
}

extension ClaimDesk: LogClient {
    func logSent(_ message: LogMessage, ticket: Ticket) {
        surroundings.log.closeTicket(ticket)
        switch message {
        case .claimed(_, let result):
            if let (code, time) = claiming.removeValue(forKey: ticket) { claimAnswered(code, asked: time, result) }
        case .released(_, let result): releaseAnswered(ticket, result)
        default: break
        }
    }
}
