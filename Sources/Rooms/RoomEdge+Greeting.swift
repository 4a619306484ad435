import Cryptography
import EventStore
import Games
import Records
import WebProtocols

// How members are greeted, and brought up to date.
extension RoomEdge {
    /// Answers `hello`, once the token's player is known. A client that missed an event sends another one.
    func greet(_ member: Member, _ hello: ClientMessage.Hello) {
        member.hasBeenGreeted = true
        count(member)
        if let player = member.player {
            setName(player.name, of: player.id)
            home.reportAttendance(.greeted(player.id))
        }
        // The greeting must show the presence that all others know.
        sendPresenceIfDue()
        // What is being read for an earlier hello is not what the member has missed now.
        forgetResume(of: member)
        guard let after = hello.after else { return welcome(member, .welcome) }
        let resume = Resume(of: member, after: after, head: hello.head)
        member.resume = resume
        resume.start()
    }

    /// Drops what is being read for the member.
    func forgetResume(of member: Member) {
        ahead[member.id] = nil
        member.resume = nil
    }

    /// Reads the log, if other nodes may have written to it, and then brings those up to date that are ahead.
    func readFurther(for resume: Resume) {
        ahead[resume.member.id] = resume
        guard surroundings.isShared else { return bringThoseAhead() }
        surroundings.log.load(room.name, after: room.readVersion, limit: 1) { [self] result in
            guard room.isAwake, !home.isBeingLeft else { return }
            // Another node has been the room's home since.
            if case .success(let records) = result, !records.isEmpty { return room.goneBack() }
            bringThoseAhead()
        }
    }

    /// The whole log has been read.
    func bringThoseAhead() {
        let waiting = ahead.sorted { $0.key < $1.key }.map(\.value)
        ahead = [:]
        for resume in waiting { resume.logIsRead() }
    }

    /// The room's log has gone back before what was shown. All members get the state as it is now.
    func diverge() {
        recent = RecentEvents()
        shown = StreamEnd(version: room.version, head: room.head)
        for member in members where member.stage == .live { welcome(member, .diverged) }
        for member in members { member.resume?.restart() }
    }

    /// Sends the whole current state.
    func welcome(_ member: Member, _ kind: HubMessage.Greeting) {
        let kind = member.owesDivergence ? .diverged : kind
        (member.stage, member.resume) = (.live, nil)
        let isGreeted = member.catchUp(with: [greeting(member, kind)] + hand(for: member))
        member.owesDivergence = !isGreeted && kind == .diverged
    }

    /// Sends the events that the client does not have, after a message that announces them.
    func resume(_ member: Member, _ frames: [Frame]) {
        (member.stage, member.resume) = (.live, nil)
        // Bounded by `Resume.limit`, not by the member's queue: it asked for all of these.
        member.owesDivergence = false
        _ = member.catchUp(with: [greeting(member, .resume)] + frames + hand(for: member))
    }

    /// Follows a greeting and its events; empty if the member has no hand.
    private func hand(for member: Member) -> [Frame] {
        var hands = Hands(of: room)
        return [hands.frame(for: member)].compactMap(\.self)
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
