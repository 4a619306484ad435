import Cryptography
import EventStore
import Games
import WebProtocols

// How members come, are greeted and go.
extension Room {
    /// Most events that a resume brings; past it a `welcome` is shorter.
    static let resumeLimit = 2_000

    /// A connection that has not said hello yet.
    func enter(_ member: Member) { audience.add(member) }

    func leave(_ member: Member) {
        member.stage = .closed
        audience.remove(member, now: surroundings.now)
        audience.presenceChanged()
        if let player = member.player?.id, !isKnown(player) { names[player] = nil }
        armTimer()
    }

    /// Whether anything that is shown of the room names this player.
    private func isKnown(_ player: PlayerID) -> Bool {
        audience.isConnected(player) || state.players.contains(player) || chat.lines.contains { $0.from == player }
    }

    /// `hello`, once it is known whose token it was. Also in the middle, by a client that missed an event.
    func greet(_ member: Member, _ hello: ClientMessage.Hello) {
        if let player = member.player {
            names[player.id] = player.name
            comeBack(player.id)
        }
        audience.presenceChanged()
        // What an earlier hello of this connection asked to be read is not what it has missed now.
        for (ticket, asked) in resumes where asked.member === member { resumes[ticket] = nil }
        defer { armTimer() }
        guard let after = hello.after else { return welcome(member, .welcome) }
        guard after <= state.version else { return welcome(member, .diverged) }
        guard state.version - after <= Self.resumeLimit else { return welcome(member, .welcome) }
        let wanted = recent.count - (state.version - after)
        // The record at `after` itself is needed too, for its hash; at the end it is the head.
        if after == state.version || wanted >= 1 {
            let head = after == state.version ? state.head : recent[wanted - 1].hash
            guard hello.head == nil || hello.head == head else { return welcome(member, .diverged) }
            resume(member, recent.suffix(state.version - after).map(\.frame))
        } else {
            let ticket = surroundings.ticket(for: self)
            member.stage = .resuming(held: [])
            resumes[ticket] = (member, after, hello.head, state.version)
            surroundings.log.load(
                stream, after: max(0, after - 1), limit: state.version - max(0, after - 1), ticket: ticket,
                answer: surroundings.inbox)
        }
    }

    /// Everything at once: the state as it is now.
    func welcome(_ member: Member, _ kind: HubMessage.Greeting) {
        member.stage = .live
        member.catchUp(with: [greeting(member, kind)])
    }

    /// The events that the client does not have, behind a message that says so.
    private func resume(_ member: Member, _ frames: [Frame]) {
        member.stage = .live
        // Bounded by `resumeLimit`, not by the member's queue: it asked for all of these.
        member.catchUp(with: [greeting(member, .resume)] + frames)
    }

    private func greeting(_ member: Member, _ kind: HubMessage.Greeting) -> Frame {
        let player = member.player
        let you = HubMessage.You(
            player: player?.id, name: player?.name, seat: player.flatMap { state.seat(of: $0.id) },
            isHost: player?.id == state.host)
        return HubMessage.greeting(state, kind: kind, you: you, names: names, chat: chat, now: surroundings.now)
    }

    /// This player bears no name any more: whoever is connected with it watches from now on, and is told so.
    func forget(_ player: PlayerID) {
        names[player] = nil
        for member in audience.members where member.player?.id == player {
            member.player = nil
            if member.stage == .live { welcome(member, .welcome) }
        }
        audience.presenceChanged()
        armTimer()
    }

    /// Older events, read for a member who resumes.
    func loaded(_ result: Result<[Record], EventLogError>, ticket: Ticket) {
        surroundings.end(ticket)
        guard let (member, after, head, upTo) = resumes.removeValue(forKey: ticket) else { return }
        guard case .resuming(let held) = member.stage else { return }
        guard case .success(let records) = result, records.last?.version == upTo else {
            return welcome(member, .welcome)
        }
        let known = after == 0 ? stream.origin : records.first?.hash
        guard head == nil || head == known else { return welcome(member, .diverged) }
        let missed = records.filter { $0.version > after }.map { Frame.text($0.event.shown) }
        resume(member, missed + held)
    }

    /// The socket of a member has taken everything: who was behind is brought up to now.
    func drained(_ member: Member) {
        if member.stage == .live, member.behindSince != nil { welcome(member, .welcome) }
    }

    /// Members who were too slow and have read what they had: one `welcome` brings each up to now.
    func catchUpMembers() {
        for member in audience.takeCaughtUp(now: surroundings.now) { welcome(member, .welcome) }
    }

    /// What lists show of those who are connected.
    func count(_ players: [PlayerID], spectators: Int) -> PresenceCount {
        let present = players.count { state.seat(of: $0) != nil || $0 == state.host }
        return PresenceCount(present: present, spectators: spectators)
    }

    /// As in `GET /api/rooms/{code}`.
    var description: Fields {
        var fields = state.summary
        let presence = audience.presence(seated: Set(state.seats.values))
        fields = fields.merging(count(presence.players, spectators: presence.spectators).fields)
        var known = Fields()
        for (player, name) in names.sorted(by: { $0.key < $1.key }) { known[player] = .string(name) }
        fields["names"] = .object(known)
        return fields
    }
}
