import Cryptography
import EventStore
import Games
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
    public private(set) var members: [Member] = []
    private var lastMember: MemberID = 0
    var presence = Presence()
    /// How many broadcasts were sent.
    private var broadcasts: UInt64 = 0
    private(set) var chat = Chat()
    var recent = RecentEvents()
    /// The newest record that members were shown.
    var shown: StreamEnd
    var shownVersion: Int { shown.version }
    /// Members for whom older events are being read.
    var resumes: [Ticket: Resume] = [:]
    /// Members that have already seen more than was shown here.
    var ahead: [MemberID: Ahead] = [:]
    /// Members that are behind. Some may have caught up or left since.
    private var behind: [Member] = []
    /// Whether it is among `edgesBehind`.
    private var isNoted = false
    /// Greeted connections without a player.
    private(set) var nameless = 0
    /// How many connections each player has here. Players without one have no entry.
    private var connections: [PlayerID: Int] = [:]
    /// How many of them are greeted and open, as reported to the home.
    private(set) var greeted: [PlayerID: Int] = [:]

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
        if member.isNoted { behind.removeAll { $0 === member } }
        tellHome(whose: member, nil)
        home.reportAttendance(.closed)
        forgetResume(of: member)
        if let player = member.player?.id { letGo(of: player, by: 1) }
    }

    /// Tells a new home who is connected.
    func introduceMembers() {
        for _ in members { home.reportAttendance(.opened) }
        for player in members.compactMap(\.toldAs) { home.reportAttendance(.came(player)) }
    }

    /// The index in `members` of the member with this id.
    private func index(of id: MemberID) -> Int? { members.index(of: id) { $0.id } }

    /// Tells the home whose connection this is from now on; nil if it has no player.
    func tellHome(whose member: Member, _ player: PlayerID?) {
        let isNameless = member.isGreeted && member.player == nil
        if isNameless != member.isToldNameless {
            member.isToldNameless = isNameless
            nameless += isNameless ? 1 : -1
            presenceChanged()
        }
        guard member.toldAs != player else { return }
        let old = member.toldAs
        member.toldAs = player
        if let player {
            greeted[player, default: 0] += 1
            home.reportAttendance(.came(player))
        }
        if let old {
            let left = (greeted[old] ?? 1) - 1
            greeted[old] = left > 0 ? left : nil
            home.reportAttendance(.went(old))
        }
        presenceChanged()
    }

    /// Whether anything that is shown of the room names this player.
    private func isKnown(_ player: PlayerID) -> Bool {
        connections[player] != nil || presence.shown.players.contains(player) || room.players.contains(player)
            || chat.lines.contains { $0.from == player }
    }

    /// Sets the name of a player, which greetings have.
    func note(_ name: String, of player: PlayerID) {
        if presence.rename(player, to: name) {
            presenceChanged(isNewName: true)
        } else {
            presence.setName(name, of: player)
        }
        surroundings.places.note(player, in: self)
    }

    /// The player of this connection has changed. It may have none now.
    func playerChanged(of member: Member, from old: PlayerID?) {
        let player = member.player?.id
        guard player != old, index(of: member.id) != nil else { return }
        if let player {
            connections[player, default: 0] += 1
            surroundings.places.note(player, in: self)
        }
        if let old { letGo(of: old, by: 1) }
    }

    /// Removes `gone` connections of a player, and forgets a player of whom nothing more is shown.
    func letGo(of player: PlayerID, by gone: Int = 0) {
        if let left = connections[player], gone > 0 { connections[player] = left > gone ? left - gone : nil }
        if !isKnown(player) { presence.forget(player) }
        if presence.names[player] == nil, connections[player] == nil { surroundings.places.remove(player, from: self) }
    }

    /// The room goes to sleep without members. When it wakes it reads all names again.
    public func letGoOfAll() { for player in presence.names.keys { surroundings.places.remove(player, from: self) } }

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
        letGo(of: player)
    }

    /// The hub no longer knows the member's player, so the member watches from now on.
    private func watch(_ member: Member) {
        member.player = nil
        tellHome(whose: member, nil)
        sendPresenceIfDue()
        if member.stage == .live { welcome(member, .welcome) }
    }

    /// Closes the connections of a player whose account cannot be read.
    func close(_ player: PlayerID) {
        for member in members where member.player?.id == player {
            member.close(.tryAgainLater, "names cannot be looked up right now")
        }
    }

    /// Closes connections that have not said hello for too long.
    func closeSilent() {
        for member in members where member.stage == .new && surroundings.now - member.since > Member.helloLimit {
            surroundings.counters.hit(.helloTime)
            member.close(.policyViolation, "no hello arrived: send it first")
        }
    }

    func closeAll(_ code: CloseCode, _ reason: String) { for member in members { member.close(code, reason) } }

    // MARK: What the home says

    /// Sends the home's answer to a member's request.
    func send(_ answer: RoomAnswer) {
        if let index = index(of: answer.address.member) { members[index].answerCommand(answer.frame) }
    }

    /// Sends a durable event to all members: the same bytes, in the order of the log.
    func show(_ event: consuming ShownEvent) {
        let type = event.type
        if !members.isEmpty {
            let (frame, now) = (event.frame, room.now)
            broadcasts += 1
            for member in members { member.event(frame, broadcast: broadcasts, now: now) }
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

    // MARK: Chat

    /// Handles `say` and `react`, which are not recorded.
    func handle(_ message: Chat.Message, id: String, from member: Member) {
        guard let player = member.player?.id else { return }
        do throws(Rejection) {
            guard !room.isBanned(player) else { throw .banned }
            guard !room.isMuted(player) else { throw .muted }
            guard member.maySay() else {
                surroundings.counters.hit(.linesPerSecond)
                throw .tooFast(surroundings.limits.linesPerSecond, "lines")
            }
            hear(message, from: player, id: "\(player)/\(id)")
            send(
                RoomAnswer(address: ReplyAddress(member: member.id, id: id), result: .done(version: room.version)))
            home.reportAttendance(.spoke(player))
        } catch {
            surroundings.counters.refused(error)
            member.answer(HubMessage.error(id, error))
        }
    }

    /// Sends a message to all, unless it was sent before.
    private func hear(_ message: Chat.Message, from player: PlayerID, id: String) {
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

    private func tell(_ frame: Frame, to member: Member) { if mayTell(member) { member.channel.send(frame) } }

    private func mayTell(_ member: Member) -> Bool {
        guard member.stage == .live else { return false }
        if member.behindSince != nil { surroundings.counters.leftOut.add() }
        return member.behindSince == nil
    }

    /// Sends a message of the hub to all members.
    public func answerAll(_ frame: Frame) { for member in members { member.answer(frame) } }

    // MARK: Slow members

    /// Lists a member that has fallen behind. It is checked again at the turn's end, since nothing may wait for it.
    func noteBehind(_ member: Member) {
        if !member.isNoted {
            member.isNoted = true
            behind.append(member)
        }
        guard !isNoted else { return }
        isNoted = true
        surroundings.edgesBehind.append(self)
    }

    /// Brings slow members that have nothing left to read up to date, with one `welcome` each. The others follow when
    /// their sockets have taken everything.
    public func catchUpMembers() {
        isNoted = false
        for member in behind where member.channel.queuedBytes == 0 { drained(member) }
        behind.removeAll { member in
            member.isNoted = member.behindSince != nil && member.stage != .closed
            return !member.isNoted
        }
    }

    /// The member's socket has taken everything. If the member was behind, it is brought up to date.
    public func drained(_ member: Member) {
        if member.stage == .live, member.behindSince != nil { welcome(member, .welcome) }
    }

    /// Closes connections that have been behind for too long.
    func closeSlow() {
        catchUpMembers()
        for member in behind where member.stage == .live {
            guard let since = member.behindSince, room.now - since > Member.behindLimit else { continue }
            surroundings.counters.hit(.behindTime)
            member.close(.tryAgainLater, "you read too slowly for too long")
        }
    }

    /// Moves the time since which each member is behind by `span`, in which none could catch up.
    public func shift(by span: Milliseconds) { for member in members { member.shift(by: span) } }
}
