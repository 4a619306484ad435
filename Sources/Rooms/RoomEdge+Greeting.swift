import Cryptography
import EventStore
import Games
import Records
import WebProtocols

// How members are greeted, and brought up to date.
extension RoomEdge {
    /// Most events that a resume brings. Past it a `welcome` is shorter.
    static let resumeLimit = 2_000

    /// Older events that are being read for a member.
    struct Resume {
        let member: Member
        /// The newest version that the member has seen.
        let after: Int
        let head: Digest?
        /// The newest version when they were asked for.
        let upTo: Int
    }

    /// A member that has seen more than was shown here, as by a home that died. The log has the rest, or it is lost.
    struct Ahead {
        let member: Member
        let after: Int
        let head: Digest?
    }

    /// Answers `hello`, once the token's player is known. A client that missed an event sends another one.
    func greet(_ member: Member, _ hello: ClientMessage.Hello) {
        member.hasBeenGreeted = true
        tellHome(whose: member, member.player?.id)
        if let player = member.player {
            note(player.name, of: player.id)
            home.reportAttendance(.greeted(player.id))
        }
        // The greeting must show the presence that all others know.
        sendPresenceIfDue()
        // What is being read for an earlier hello is not what the member has missed now.
        forgetResume(of: member)
        guard let after = hello.after else { return welcome(member, .welcome) }
        bring(member, after: after, head: hello.head)
    }

    /// Drops what is being read for the member.
    func forgetResume(of member: Member) {
        ahead[member.id] = nil
        if let ticket = member.resume { resumes[ticket] = nil }
        member.resume = nil
    }

    /// Brings a member up to date that has seen all up to `after`, with this head.
    private func bring(_ member: Member, after: Int, head: Digest?) {
        guard after <= room.version else {
            member.stage = .resuming(held: [])
            ahead[member.id] = Ahead(member: member, after: after, head: head)
            return readFurther()
        }
        guard room.version - after <= Self.resumeLimit else { return welcome(member, .welcome) }
        guard let missed = recent.behind(after) else { return load(member, after: after, head: head) }
        guard head == nil || head == missed.head else { return welcome(member, .diverged) }
        resume(member, missed.frames)
    }

    /// Reads the log, if other nodes may have written to it, and then brings those up to date that are ahead.
    private func readFurther() {
        guard surroundings.isShared else { return bringThoseAhead() }
        surroundings.load(room.name, after: room.readVersion, limit: 1) { [self] result in
            guard room.isAwake, !home.isBeingLeft else { return }
            // Another node has been the room's home since.
            if case .success(let records) = result, !records.isEmpty { return room.goneBack() }
            bringThoseAhead()
        }
    }

    /// The whole log has been read. A member that has seen more has seen events that are lost.
    func bringThoseAhead() {
        let waiting = ahead.sorted { $0.key < $1.key }.map(\.value)
        ahead = [:]
        for one in waiting {
            guard case .resuming = one.member.stage else { continue }
            if one.after <= room.version {
                bring(one.member, after: one.after, head: one.head)
            } else {
                welcome(one.member, .diverged)
            }
        }
    }

    private func load(_ member: Member, after: Int, head: Digest?) {
        let ticket = surroundings.ticket(for: self)
        member.stage = .resuming(held: [])
        member.resume = ticket
        resumes[ticket] = Resume(member: member, after: after, head: head, upTo: room.version)
        // The record at `after` itself is needed too, for its hash.
        let first = max(0, after - 1)
        surroundings.log.load(
            room.name, after: first, limit: room.version - first, ticket: ticket, answer: surroundings.inbox)
    }

    private func loaded(_ result: Result<[Record], EventLogError>, for resume: Resume) {
        let member = resume.member
        guard case .resuming(let held) = member.stage else { return }
        guard case .success(let records) = result, records.last?.version == resume.upTo else {
            return welcome(member, .welcome)
        }
        let known = resume.after == 0 ? room.name.origin : records.first?.hash
        guard resume.head == nil || resume.head == known else { return welcome(member, .diverged) }
        let missed = records.filter { $0.version > resume.after }.map { Frame.text($0.event.shown) }
        guard missed.count + held.count <= Self.resumeLimit else { return welcome(member, .welcome) }
        self.resume(member, missed + held)
    }

    /// The room's log has gone back before what was shown. All members get the state as it is now.
    func diverge() {
        recent = RecentEvents()
        shown = StreamEnd(version: room.version, head: room.head)
        for member in members where member.stage == .live { welcome(member, .diverged) }
        // Events that are being read for others may be lost.
        let interrupted = resumes.sorted { $0.key < $1.key }.map(\.value)
        resumes = [:]
        for resume in interrupted { bring(resume.member, after: resume.after, head: resume.head) }
    }

    /// Sends the whole current state.
    func welcome(_ member: Member, _ kind: HubMessage.Greeting) {
        let kind = member.owesDivergence ? .diverged : kind
        member.stage = .live
        let isGreeted = member.catchUp(with: [greeting(member, kind)])
        member.owesDivergence = !isGreeted && kind == .diverged
    }

    /// Sends the events that the client does not have, after a message that announces them.
    private func resume(_ member: Member, _ frames: [Frame]) {
        member.stage = .live
        // Bounded by `resumeLimit`, not by the member's queue: it asked for all of these.
        member.owesDivergence = false
        _ = member.catchUp(with: [greeting(member, .resume)] + frames)
    }

    /// Players do not wait for spectators.
    func setService(of member: Member) {
        member.channel.isServedLast = member.player.flatMap { room.seat(of: $0.id) } == nil
    }

    private func greeting(_ member: Member, _ kind: HubMessage.Greeting) -> Frame {
        setService(of: member)
        let player = member.player
        let you = HubMessage.You(
            player: player?.id, name: player?.name, seat: player.flatMap { room.seat(of: $0.id) },
            isHost: player?.id == room.host)
        let part = presence.greetingPart(at: room.version, naming: { namesNeeded }, chat)
        return HubMessage.greeting(room, kind: kind, you: you, part, spread: surroundings.spread)
    }
}

extension RoomEdge: LogClient {
    public func receive(_ message: LogMessage, ticket: Ticket) {
        surroundings.end(ticket)
        guard case .loaded(_, let result) = message, let resume = resumes.removeValue(forKey: ticket) else { return }
        resume.member.resume = nil
        loaded(result, for: resume)
    }
}
