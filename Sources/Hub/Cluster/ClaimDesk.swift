import EventStore
import Games
import WebProtocols

/// Finds the home of each room that is not awake on this loop, for who comes to it or for its deadline: it claims the
/// room. What it gets is woken here; who comes to a room of another run is relayed to that run's node.
final class ClaimDesk {
    static let timer: UInt64 = .max - 6
    /// While a home cannot be reached a connection waits so long.
    static let patience: Milliseconds = 10_000
    /// Then it is asked again who has the room.
    static let retryPause: Milliseconds = 1_000

    private let surroundings: RoomSurroundings
    private let cluster: Cluster
    private let rooms: AwakeRooms
    private let members: MemberDesk
    private let relays: RelayDesk
    /// Who waits for the home of each room: nobody, where it is a matter of its deadline.
    private var sought: [String: Sought] = [:]
    /// Rooms that are being claimed, and since when.
    private var asked: [Ticket: (code: String, at: Milliseconds)] = [:]
    /// Rooms whose claim this loop has.
    private var held: Set<String> = []
    /// Rooms that are being released, and who is told.
    private var releasing: [Ticket: (release: Release, then: () -> Void)] = [:]
    /// What could not be released is tried again, unless the room is woken: by its code.
    private var unreleased: [String: Release] = [:]
    private var isTimerArmed = false

    /// Told of a run that has claimed a room, and does not serve by the stream `hub`.
    var holderIsUnknown: ((String) -> Void)?

    private struct Release {
        let code: String
        /// Since when nobody judges what there is to be judged; nil: there is nothing.
        let owed: Milliseconds?
        let time: Milliseconds
    }

    private struct Sought {
        let since: Milliseconds
        var arrivals: [Arrival] = []
        /// Called once it is known whether the room is here, or that takes too long.
        var visitors: [() -> Void] = []
        /// Whether it is being claimed.
        var isAsked = false
    }

    init(
        _ surroundings: RoomSurroundings, _ cluster: Cluster, rooms: AwakeRooms, members: MemberDesk, relays: RelayDesk
    ) {
        (self.surroundings, self.cluster, self.rooms) = (surroundings, cluster, rooms)
        (self.members, self.relays) = (members, relays)
    }

    // MARK: Who comes

    /// A connection to the room `code`, which is not awake here, and has no home that is known.
    func enter(_ channel: any SocketChannel, room code: String) -> Arrival? {
        guard cluster.mayServe else {
            channel.close(.serviceRestart, RelayedMembers.elsewhere)
            return nil
        }
        let arrival = Arrival(channel, room: code, now: surroundings.now)
        seek(code) { $0.arrivals.append(arrival) }
        return arrival
    }

    /// A text message of a client whose room's home is not known.
    func received(_ bytes: RawSpan, from arrival: Arrival) {
        guard !arrival.isClosed else { return }
        // Besides the hello.
        guard arrival.keep(bytes.array, limit: surroundings.limits.earlyMessages + 1) else {
            surroundings.counters.hit(.earlyMessages)
            closed(arrival)
            return arrival.close(.policyViolation, "too many messages before hello was answered")
        }
    }

    func closed(_ arrival: Arrival) {
        sought[arrival.code]?.arrivals.removeAll { $0 === arrival }
    }

    // MARK: Claims

    /// The room is due, or another node takes it to be here: it is woken, unless another run has it. `then` is called
    /// once it is known whether it is here.
    func wake(_ code: String, then: (() -> Void)? = nil) {
        guard cluster.mayServe, rooms[code] == nil else { return then?() ?? () }
        seek(code) { if let then { $0.visitors.append(then) } }
    }

    private func seek(_ code: String, _ add: (inout Sought) -> Void) {
        let isSought = sought[code] != nil
        add(&sought[code, default: Sought(since: surroundings.now)])
        guard !isSought else { return }
        claim(code)
        armTimer()
    }

    private func claim(_ code: String) {
        let ticket = surroundings.ticket(for: self)
        asked[ticket] = (code, surroundings.now)
        sought[code]?.isAsked = true
        cluster.log.claim(.room(code), ticket: ticket, answer: surroundings.inbox)
    }

    private func claimed(_ code: String, asked time: Milliseconds, _ result: Result<Claim, EventLogError>) {
        sought[code]?.isAsked = false
        guard case .success(let claim) = result else { return retryLater(code) }
        guard let holder = claim.holder, holder != surroundings.run else {
            let unreleased = unreleased.removeValue(forKey: code)
            let claim = unreleased.map { claim.owing(since: $0.owed, vacant: $0.time) } ?? claim
            guard claim.owesNothing(after: surroundings.waited(for: claim, until: time)) else {
                return take(code, claim, asked: time)
            }
            // Nobody has waited since it was given up: the next home is not to count that as lost.
            cluster.log.release(.room(code), owed: nil, at: surroundings.now, ticket: 0, answer: surroundings.inbox)
            return self.claim(code)
        }
        held.remove(code)
        if surroundings.history.roll[run: holder] == nil { holderIsUnknown?(holder) }
        if let node = surroundings.history.roll[run: holder]?.node, relays.isLinked(to: node) {
            relay(code, to: node)
        } else {
            retryLater(code)
        }
    }

    /// It is this node's, or nobody's, since there is no such room.
    private func take(_ code: String, _ claim: Claim, asked time: Milliseconds) {
        if claim.holder != nil { held.insert(code) }
        guard let seekers = sought.removeValue(forKey: code) else { return giveBack(code, claim) {} }
        guard cluster.mayServe else {
            return giveBack(code, claim) { [self] in
                sendAway(seekers, .serviceRestart, RelayedMembers.elsewhere)
            }
        }
        guard rooms.wake(code, taking: claim, at: time) != nil else {
            return giveBack(code, claim) { [self] in
                sendAway(seekers, .tryAgainLater, "this room has too many connections")
            }
        }
        defer { for visitor in seekers.visitors { visitor() } }
        for arrival in seekers.arrivals where !arrival.isClosed {
            guard let member = members.enter(arrival.channel, room: code) else { continue }
            arrival.connection = member
            for text in arrival.takeEarly() { members.received(text.span.bytes, from: member) }
        }
    }

    /// It cannot be woken here: the next home owes what this one was told.
    private func giveBack(_ code: String, _ claim: Claim, then: @escaping () -> Void) {
        release(code, owed: claim.since, at: claim.vacant, then: then)
    }

    private func relay(_ code: String, to node: NodeName) {
        guard let seekers = sought.removeValue(forKey: code) else { return }
        guard cluster.mayServe else {
            return sendAway(seekers, .serviceRestart, RelayedMembers.elsewhere)
        }
        for visitor in seekers.visitors { visitor() }
        for arrival in seekers.arrivals where !arrival.isClosed {
            let connection = relays.enter(arrival.channel, room: code, at: node)
            arrival.connection = connection
            for text in arrival.takeEarly() { relays.received(text.span.bytes, from: connection) }
        }
    }

    private func sendAway(_ seekers: Sought, _ code: CloseCode, _ reason: String) {
        for visitor in seekers.visitors { visitor() }
        for arrival in seekers.arrivals { arrival.close(code, reason) }
    }

    /// Who holds the room cannot be reached, or the log is away: where somebody waits it is tried again.
    private func retryLater(_ code: String) {
        let visitors = sought[code]?.visitors ?? []
        sought[code]?.visitors = []
        for visitor in visitors { visitor() }
        if sought[code]?.arrivals.isEmpty != false { sought[code] = nil }
        armTimer()
    }

    /// Asks again for all rooms that somebody waits for; who has waited for too long is sent away.
    func retry() {
        for (code, var seekers) in sought.sorted(by: { $0.key < $1.key }) {
            let late = seekers.arrivals.filter { surroundings.now - $0.since > Self.patience }
            seekers.arrivals.removeAll { surroundings.now - $0.since > Self.patience }
            let visitors = surroundings.now - seekers.since > Self.patience ? seekers.visitors : []
            if !visitors.isEmpty { seekers.visitors = [] }
            sought[code] = seekers
            for arrival in late { arrival.close(.tryAgainLater, "the room cannot be reached right now") }
            for visitor in visitors { visitor() }
            // A claim that is under way may succeed. Then it is released before anybody is sent away.
            guard !seekers.isAsked else { continue }
            if cluster.mayServe, !seekers.arrivals.isEmpty {
                claim(code)
            } else {
                sought[code] = nil
                sendAway(seekers, .serviceRestart, RelayedMembers.elsewhere)
            }
        }
        armTimer()
    }

    private func armTimer() {
        guard !isTimerArmed, !sought.isEmpty || !unreleased.isEmpty else { return }
        isTimerArmed = true
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.retryPause)
    }

    /// A while has passed.
    func timerFired() {
        isTimerArmed = false
        // What somebody comes to meanwhile is claimed, with what it owes.
        for release in unreleased.values.sorted(by: { $0.code < $1.code }) where sought[release.code] == nil {
            unreleased[release.code] = nil
            if rooms[release.code] == nil { letGo(by: release) }
        }
        retry()
    }

    /// The room is not awake here from now on.
    ///
    /// - Parameters:
    ///   - owed: since when nobody judges what there is to be judged; nil: there is nothing.
    ///   - time: when it was given up; nil: now.
    func release(
        _ code: String, owed: Milliseconds? = nil, at time: Milliseconds? = nil, then: @escaping () -> Void = {}
    ) {
        guard held.remove(code) != nil else { return then() }
        letGo(by: Release(code: code, owed: owed, time: time ?? surroundings.now), then: then)
    }

    private func letGo(by release: Release, then: @escaping () -> Void = {}) {
        let ticket = surroundings.ticket(for: self)
        releasing[ticket] = (release, then)
        cluster.log.release(
            .room(release.code), owed: release.owed, at: release.time, ticket: ticket, answer: surroundings.inbox)
    }

    private func released(_ ticket: Ticket, _ result: Result<StreamName, EventLogError>) {
        guard let (release, then) = releasing.removeValue(forKey: ticket) else { return }
        if case .failure = result {
            unreleased[release.code] = release
            armTimer()
        }
        then()
    }

    /// Another run has the room.
    func lost(_ code: String) { held.remove(code) }
}

extension ClaimDesk: LogClient {
    func receive(_ message: LogMessage, ticket: Ticket) {
        surroundings.end(ticket)
        switch message {
        case .claimed(_, let result):
            if let (code, time) = asked.removeValue(forKey: ticket) { claimed(code, asked: time, result) }
        case .released(_, let result): released(ticket, result)
        default: break
        }
    }
}
