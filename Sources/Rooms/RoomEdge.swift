import Cryptography
import EventStore
import Games
import JSON
import Records
import RoomRules
import WebProtocols

/// The edge of a room: its members, on all nodes, and everything that they are sent. It greets them, brings those up to
/// date that were away or slow, and sends events, presence and chat. It tells the home what they ask for and who they
/// are. Lives on one loop; every call comes from there.
public final class RoomEdge {
    /// Events that turn a player into a spectator or back, or change the host that lists show.
    private static let seatEvents = [SeatTaken.type, SeatFreed.type, PlayerLeft.type, HostChanged.type]

    let room: RoomStream
    var home: RoomHome
    let surroundings: RoomSurroundings
    let timer: RoomTimer
    /// In the order in which they came, which is also that of their ids.
    private(set) var members: [Member] = []
    private var lastMember: MemberID = 0
    var presence = Presence()
    /// How many broadcasts were sent.
    private var broadcasts: UInt64 = 0
    private(set) var chat = Chat()
    var recent = RecentEvents()
    /// The newest record that members were shown.
    var shown: StreamEnd
    /// Members that have seen more than was shown here, as by a home that died. The log has the rest, or it is lost.
    var ahead: [MemberID: Resume] = [:]
    private(set) var connections = ConnectionCounts()

    init(room: RoomStream, home: RoomHome, surroundings: RoomSurroundings, timer: RoomTimer) {
        (self.room, self.home, self.surroundings, self.timer) = (room, home, surroundings, timer)
        shown = room.name.start
    }

    // MARK: Members

    /// Adds a connection that has not said hello yet.
    func enter(_ member: Member) {
        lastMember += 1
        member.id = lastMember
        members.append(member)
        home.reportAttendance(.opened)
    }

    public func leave(_ member: Member) {
        guard let index = index(of: member.id) else { return }
        member.stage = .closed
        members.remove(at: index)
        count(member)
        home.reportAttendance(.closed)
        forgetResume(of: member)
        if let player = member.player?.id { connectionEnded(of: player) }
    }

    /// Tells a new home who is connected.
    func introduceMembers() {
        for _ in members { home.reportAttendance(.opened) }
        for case .player(let player) in members.map(\.counted) { home.reportAttendance(.came(player)) }
    }

    /// The index in `members` of the member with this id.
    private func index(of id: MemberID) -> Int? { members.index(of: id) { $0.id } }

    /// Counts the member as who it is now, and tells the home.
    func count(_ member: Member) {
        let greeted = member.player.map { ConnectionCounts.Counted.player($0.id) } ?? .nameless
        let (old, new) = (member.counted, member.isGreeted ? greeted : .nobody)
        guard new != old else { return }
        member.counted = new
        connections.count(new, by: 1)
        connections.count(old, by: -1)
        if case .player(let player) = new { home.reportAttendance(.came(player)) }
        if case .player(let player) = old { home.reportAttendance(.went(player)) }
        presenceChanged()
    }

    /// Whether anything that is shown of the room names this player.
    private func isKnown(_ player: PlayerID) -> Bool {
        connections.hasAny(player) || presence.shown.players.contains(player) || room.players.contains(player)
            || chat.lines.contains { $0.from == player }
    }

    /// Sets the name of a player, which greetings have.
    func setName(_ name: String, of player: PlayerID) {
        if presence.rename(player, to: name) {
            presenceChanged(isNewName: true)
        } else {
            presence.setName(name, of: player)
        }
        surroundings.places.add(player, in: self)
    }

    /// The player of this connection has changed. It may have none now.
    func playerChanged(of member: Member, from old: PlayerID?) {
        let player = member.player?.id
        guard player != old, index(of: member.id) != nil else { return }
        if let player {
            connections.change(player, by: 1)
            surroundings.places.add(player, in: self)
        }
        if let old { connectionEnded(of: old) }
    }

    private func connectionEnded(of player: PlayerID) {
        connections.change(player, by: -1)
        forgetIfUnknown(player)
    }

    /// Forgets a player of whom nothing more is shown.
    func forgetIfUnknown(_ player: PlayerID) {
        if !isKnown(player) { presence.forget(player) }
        if presence.names[player] == nil, !connections.hasAny(player) {
            surroundings.places.remove(player, from: self)
        }
    }

    /// The room goes to sleep without members. When it wakes it reads all names again.
    public func forgetPlayers() { for player in presence.names.keys { surroundings.places.remove(player, from: self) } }

    /// A player's account has changed; nil if it is gone.
    func accountChanged(_ player: PlayerID, to account: PlayerAccount?) {
        // Before any member is welcomed with the names.
        let isRenamed = presence.rename(player, to: account?.name)
        if isRenamed { presenceChanged(isNewName: true) }
        for member in members where member.player?.id == player {
            if let account, let token = member.player?.tokenHash, account.tokenHashes.contains(token) {
                member.player?.name = account.name
                // In a crowd the other members are not notified.
                if isRenamed, !presence.named.contains(player) { tell(presence.name(of: player), to: member) }
            } else {
                member.answer(HubMessage.error(nil, .unknownToken))
                watch(member)
            }
        }
        forgetIfUnknown(player)
    }

    /// The hub no longer knows the member's player, so the member watches from now on.
    private func watch(_ member: Member) {
        member.player = nil
        count(member)
        sendPresenceIfDue()
        if member.stage == .live { welcome(member, .welcome) }
    }

    /// Closes the connections of a player whose account cannot be read.
    func close(_ player: PlayerID) {
        for member in members where member.player?.id == player {
            member.close(.tryAgainLater, "names cannot be looked up right now")
        }
    }

    /// Closes connections that have not said hello, or have been behind, for too long.
    func closeSlow() {
        for member in members {
            if member.stage == .new, surroundings.now - member.since > Member.helloLimit {
                surroundings.counters.hit(.helloTime)
                member.close(.policyViolation, "no hello arrived: send it first")
            } else if member.stage == .live, member.behindSince != nil {
                member.catchUpIfDrained()
                guard let since = member.behindSince, room.now - since > Member.behindLimit else { continue }
                surroundings.counters.hit(.behindTime)
                member.close(.tryAgainLater, "you read too slowly for too long")
            }
        }
    }

    func closeAll(_ code: CloseCode, _ reason: String) { for member in members { member.close(code, reason) } }

    // MARK: Presence

    /// - Parameter isNewName: a name is shown that members may not know, which does not wait.
    func presenceChanged(isNewName: Bool = false) {
        presence.change(isNewName: isNewName)
        armTimer()
    }

    func armTimer() {
        guard room.isAwake else { return }
        // The timer runs on hub time.
        timer.set(edge: presence.next.map { $0 - (room.now - surroundings.now) })
    }

    func sendPresenceIfDue() {
        defer { armTimer() }
        guard room.isAwake, let due = presence.next, due <= room.now else { return }
        presence.count(connections.playerCount)
        surroundings.presence.set(connections.count(in: room), in: room.code)
        let before = presence.shown.players
        let shown = connections.shown(in: room, isCrowd: presence.isCrowd)
        if let frame = presence.update(to: shown, naming: namesNeeded, at: room.now) { tell(frame) }
        for player in before.subtracting(presence.shown.players) { forgetIfUnknown(player) }
    }

    /// Players whose names members need, connected or not, since the room or its chat shows them.
    var namesNeeded: Set<PlayerID> { Set(room.players).union(chat.lines.map(\.from)) }

    /// As in `GET /api/rooms/{code}`.
    public var description: Fields {
        HubMessage.description(
            room.summary, connections.count(in: room), hostName: presence.names[room.host],
            names: presence.names(of: presence.named.union(namesNeeded)))
    }

    // MARK: What the home says

    /// Sends the home's answer to a member's request.
    func send(_ answer: RoomAnswer, to address: ReplyAddress) {
        if let index = index(of: address.member) { members[index].answerCommand(answer.frame(id: address.id)) }
    }

    /// Sends a durable event to all members: the same bytes, in the order of the log.
    func show(_ event: consuming ShownEvent) {
        let type = event.type
        if !members.isEmpty {
            let (frame, now) = (event.frame, room.now)
            broadcasts += 1
            for member in members { member.sendEvent(frame, broadcast: broadcasts, now: now) }
        }
        shown = StreamEnd(version: event.version, head: event.hash)
        recent.append(event)
        if Self.seatEvents.contains(type) {
            for member in members where member.isGreeted { setService(of: member) }
            presenceChanged(isNewName: type == SeatTaken.type)
        } else if presence.isCrowd, type == PlayerMuted.type || type == PlayerBanned.type {
            // Others may not know the name of this player.
            presenceChanged(isNewName: true)
        }
    }

    /// Sends each player the hand at this version. It follows every commit, whether or not that has changed it, so that
    /// clients know when they have seen all that they may act on.
    func showHands() {
        var hands = Hands(of: room)
        guard !members.isEmpty, hands.areDealt else { return }
        for member in members where member.isLive {
            if let hand = hands.frame(for: member) { tell(hand, to: member) }
        }
    }

    // MARK: Chat

    /// Handles `say` and `react`, which are not recorded.
    func handle(_ message: Chat.Message, id: String, of player: PlayerID, from member: Member) {
        do throws(Rejection) {
            guard !room.isBanned(player) else { throw .banned }
            guard !room.isMuted(player) else { throw .muted }
            guard member.maySay() else {
                surroundings.counters.hit(.linesPerSecond)
                throw .tooFast(surroundings.limits.linesPerSecond, "lines")
            }
            addToChat(message, from: player, id: "\(player)/\(id)")
            send(.done(version: room.version), to: ReplyAddress(member: member.id, id: id))
            home.reportAttendance(.spoke(player))
        } catch {
            surroundings.counters.refused(error)
            member.answer(HubMessage.error(id, error))
        }
    }

    /// Sends a message to all, unless it was sent before.
    private func addToChat(_ message: Chat.Message, from player: PlayerID, id: String) {
        guard let frame = chat.add(message, from: player, id: id, at: room.now) else { return }
        presence.chatChanged()
        // In a crowd members may not know what the player is called.
        if let name = presence.introduce(player, by: message) { tell(name) }
        tell(frame)
    }

    /// Sends what is not recorded. Members that are behind do not get it.
    func tell(_ frame: Frame) {
        broadcasts += 1
        for member in members where mayTell(member) { member.channel.broadcast(frame, number: broadcasts) }
    }

    func tell(_ frame: Frame, to member: Member) { if mayTell(member) { member.channel.sendReplaceable(frame) } }

    private func mayTell(_ member: Member) -> Bool {
        guard member.stage == .live else { return false }
        if member.behindSince != nil { surroundings.counters.leftOut.add() }
        return member.behindSince == nil
    }

    /// Sends a message of the hub to all members.
    public func answerAll(_ frame: Frame) { for member in members { member.answer(frame) } }

    // MARK: Slow members

    /// The member's socket has taken everything. If the member was behind, it is brought up to date.
    public func drained(_ member: Member) {
        if member.stage == .live, member.behindSince != nil { welcome(member, .welcome) }
    }

    /// Moves the time since which each member is behind by `span`, in which none could catch up.
    public func shift(by span: Milliseconds) { for member in members { member.shift(by: span) } }
}
