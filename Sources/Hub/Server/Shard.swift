import EventStore
import Games
import Logging
import WebProtocols

/// What lives on one event loop: some of the rooms, with their members. Knows neither sockets nor threads; a test
/// drives it by hand.
final class Shard {
    /// How often rooms are looked at that might sleep, and members who are behind.
    static let sweepPause: Milliseconds = 5_000
    private static let sweepTimer: UInt64 = 0

    let index: Int
    let surroundings: RoomSurroundings
    let shards: any ShardDirectory
    private(set) var rooms: [String: Room] = [:]
    private var roomOfTimer: [UInt64: Room] = [:]
    private var lastTimer: UInt64 = Shard.sweepTimer
    private var replies: [UInt64: (RoomReply) -> Void] = [:]
    private var lastQuestion: UInt64 = 0
    private var hubTicket: Ticket = 0
    /// Records of the stream `hub` that are known.
    private var hubVersion = 0
    /// That stream could not be read just now: it is tried again with the next sweep.
    private var mustFollowHub = false
    /// Rooms with members who are behind.
    private var behind: [ObjectIdentifier: Room] = [:]
    /// Wrong codes and tokens, by the address that tried them.
    var failures: AddressLimit
    /// Whether clients have been told to come back later.
    private(set) var isDraining = false
    let registry: PlayerRegistry
    /// Only the first shard has one.
    private var projector: Projector?
    /// Only the first shard has one.
    private(set) var lobby: Lobby?

    init(index: Int, surroundings: RoomSurroundings, shards: any ShardDirectory) {
        self.index = index
        self.surroundings = surroundings
        self.shards = shards
        failures = AddressLimit(perMinute: surroundings.limits.failuresPerMinute)
        registry = PlayerRegistry(index: index, surroundings: surroundings, shards: shards)
    }

    /// Begins to listen to the log. `outages` of the surroundings must hold those of the first `hubVersion` records of
    /// the stream `hub`.
    func start(hubVersion: Int) {
        self.hubVersion = hubVersion
        followHub()
        surroundings.log.watchAvailability(into: surroundings.inbox)
        surroundings.timers.arm(Self.sweepTimer, at: surroundings.now + Self.sweepPause)
        if index == 0 {
            lobby = Lobby(surroundings: surroundings)
            projector = Projector(shard: self)
            projector?.start()
        }
    }

    // MARK: Rooms

    /// The room of this shard that bears `code`, woken if it sleeps; nil if too many are awake.
    func room(_ code: String) -> Room? {
        if let room = rooms[code] { return room }
        guard rooms.count < surroundings.limits.awakeRooms else { return nil }
        lastTimer += 1
        let room = Room(code: code, timer: lastTimer, surroundings: surroundings)
        rooms[code] = room
        roomOfTimer[lastTimer] = room
        surroundings.counters.rooms.set(rooms.count)
        room.wake()
        return room
    }

    private func followHub() {
        mustFollowHub = false
        hubTicket = surroundings.ticket(for: self)
        surroundings.log.follow(.hub, after: hubVersion, ticket: hubTicket, into: surroundings.inbox)
    }

    private func sweep() {
        if mustFollowHub { followHub() }
        for room in rooms.values { room.audience.closeSilent(now: surroundings.now) }
        for room in rooms.values where room.maySleep(now: surroundings.now) {
            room.sleep()
            rooms[room.code] = nil
            roomOfTimer[room.timer] = nil
        }
        surroundings.counters.rooms.set(rooms.count)
        projector?.wakeDueRooms()
        surroundings.timers.arm(Self.sweepTimer, at: surroundings.now + Self.sweepPause)
    }

    /// Asks the shard of room `code`; `then` is called on this one.
    func ask(_ question: RoomQuestion, about code: String, then: @escaping (RoomReply) -> Void) {
        lastQuestion += 1
        replies[lastQuestion] = then
        let owner = shardIndex(ofRoom: code, count: shards.count)
        if owner == index {
            answer(question, code: code, asker: index, number: lastQuestion)
        } else {
            shards.post(.question(question, code: code, asker: index, number: lastQuestion), to: owner)
        }
    }

    private func answer(_ question: RoomQuestion, code: String, asker: Int, number: UInt64) {
        let visit = QuestionVisit(shard: self, question: question, asker: asker, number: number)
        guard let room = room(code) else { return reply(.tooMany, to: asker, number: number) }
        room.whenKnown(visit)
    }

    fileprivate func reply(_ reply: RoomReply, to asker: Int, number: UInt64) {
        if asker == index {
            replies.removeValue(forKey: number)?(reply)
        } else {
            shards.post(.reply(reply, number: number), to: asker)
        }
    }

    // MARK: Connections

    /// A connection to the room `code`, upgraded. Nil where it had to be closed at once.
    func enter(_ channel: any MemberChannel, room code: String) -> Member? {
        guard let room = room(code), room.audience.members.count < surroundings.limits.membersPerRoom else {
            channel.close(.tryAgainLater, "this room has as many connections as it may have")
            return nil
        }
        let member = Member(
            channel: channel, room: room, limits: surroundings.limits, now: surroundings.now)
        room.enter(member)
        surroundings.counters.members.add(1)
        return member
    }

    func closed(_ member: Member) {
        member.room.leave(member)
        surroundings.counters.members.add(-1)
    }

    /// A text message of a member.
    func received(_ bytes: RawSpan, from member: Member) {
        surroundings.counters.messages.add(1)
        guard member.stage != .closed else { return }
        guard member.mayTake(now: surroundings.now) else {
            surroundings.counters.refusals.add(1)
            return member.answer(HubMessage.error(nil, .tooFast(surroundings.limits.messagesPerSecond)))
        }
        do throws(ClientMessage.Refusal) {
            handle(try ClientMessage.read(bytes), from: member)
        } catch {
            surroundings.counters.refusals.add(1)
            member.answer(HubMessage.error(error.id, error.rejection))
        }
        if member.room.audience.hasBehind { behind[ObjectIdentifier(member.room)] = member.room }
    }

    private func handle(_ message: ClientMessage, from member: Member) {
        if member.stage == .identifying, message.mustWaitForHello {
            guard member.early.count < surroundings.limits.earlyMessages else {
                return member.close(.policyViolation, "too many messages before hello was answered")
            }
            return member.early.append(message)
        }
        switch message {
        case .hello(let hello): identify(member, hello)
        case .ping(let number): member.answer(HubMessage.pong(number, now: surroundings.now))
        case .command(let id, let type, let fields): command(type, fields, id: id, from: member)
        }
    }

    private func command(_ type: String, _ fields: Fields, id: String, from member: Member) {
        let room = member.room
        do throws(Rejection) {
            guard member.stage != .new else { throw .helloFirst }
            if let utterance = try Chat.Utterance(type: type, fields: fields) {
                guard member.player != nil else { throw .noName }
                return room.handle(utterance, id: id, from: member)
            }
            guard let command = try RoomCommand(type: type, fields: fields, game: room.state.kind) else {
                throw .unknownType(type)
            }
            guard let player = member.player else { throw .noName }
            room.handle(
                Room.Request(
                    commit: "\(player.id)/\(id)", command: command, player: player.id, time: surroundings.now,
                    member: member, id: id))
        } catch {
            surroundings.counters.refusals.add(1)
            member.answer(HubMessage.error(id, error))
        }
    }

    // MARK: Hello

    private func identify(_ member: Member, _ hello: ClientMessage.Hello) {
        guard member.mayGreet(now: surroundings.now) else {
            surroundings.counters.refusals.add(1)
            return member.answer(HubMessage.error(nil, .tooFast(surroundings.limits.hellosPerSecond)))
        }
        member.stage = .identifying
        guard let token = hello.token else {
            member.player = nil
            return admit(member, hello)
        }
        guard let hash = PlayerToken(token)?.hash else { return stranger(member, hello) }
        if member.player?.tokenHash == hash { return admit(member, hello) }
        let lookup = OneAnswer(surroundings) { [self] message in
            guard case .players(_, let result) = message, case .success(let rows) = result else {
                // The projections cannot be read: nobody can be told who they are.
                return member.close(.tryAgainLater, "names cannot be looked up just now")
            }
            guard let player = rows.first else { return stranger(member, hello) }
            member.player = player
            admit(member, hello)
        }
        surroundings.projections.player(tokenHash: hash, ticket: lookup.ticket, answer: surroundings.inbox)
    }

    /// A token that nobody bears: it watches, and is told so.
    private func stranger(_ member: Member, _ hello: ClientMessage.Hello) {
        member.player = nil
        failures.count(member.channel.address, now: surroundings.now)
        guard !failures.isOver(member.channel.address, now: surroundings.now) else {
            return member.close(.policyViolation, "too many wrong tokens from your address")
        }
        member.answer(HubMessage.error(nil, .unknownToken))
        admit(member, hello)
    }

    private func admit(_ member: Member, _ hello: ClientMessage.Hello) {
        guard member.stage == .identifying else { return }
        member.room.whenKnown(HelloVisit(shard: self, member: member, hello: hello))
    }

    fileprivate func greet(_ member: Member, _ hello: ClientMessage.Hello) {
        guard member.stage == .identifying else { return }
        switch member.room.life {
        case .awake: member.room.greet(member, hello)
        case .absent: return member.close(.policyViolation, "there is no such room")
        case .broken: return member.close(.internalError, "the log of this room cannot be read")
        case .unread: return member.close(.tryAgainLater, "the log cannot be read just now")
        case .loading, .naming: preconditionFailure("a room calls its visitors when it is known")
        }
        let early = member.early
        member.early = []
        for message in early { handle(message, from: member) }
    }

    // MARK: The loop

    func fired(_ token: UInt64) {
        if token == Self.sweepTimer { return sweep() }
        if token == Projector.timer { return projector?.tick() ?? () }
        if token == Lobby.timer { return lobby?.tick() ?? () }
        roomOfTimer[token]?.clockFired()
    }

    func received(_ message: ShardMessage) {
        switch message {
        case .log(let batch): for message in batch { received(message) }
        case .question(let question, let code, let asker, let number):
            answer(question, code: code, asker: asker, number: number)
        case .reply(let reply, let number): replies.removeValue(forKey: number)?(reply)
        case .wake(let codes): for code in codes { _ = room(code) }
        case .thought(let thought): rooms[thought.computer.room]?.received(thought)
        case .player(let order, let asker, let number): registry.perform(order, asker: asker, number: number)
        case .playerSettled(let answer, let number): registry.settled(answer, number: number)
        case .forgotten(let player): forget(player)
        case .draining: drain()
        }
    }

    /// Looks again behind what was asked before: an answer on its way may still name the player.
    private func forget(_ player: PlayerID) {
        for room in rooms.values { room.forget(player) }
        let later = OneAnswer(surroundings) { [self] message in
            guard case .players(_, .success(let rows)) = message, rows.isEmpty else { return }
            for room in rooms.values { room.forget(player) }
        }
        surroundings.projections.players(ids: [player], ticket: later.ticket, answer: surroundings.inbox)
    }

    private func received(_ message: LogMessage) {
        if let ticket = message.ticket {
            guard let client = surroundings.client(of: ticket) else { return }
            client.receive(message, ticket: ticket)
            if let room = client as? Room, room.audience.hasBehind { behind[ObjectIdentifier(room)] = room }
        } else if case .availability(let availability) = message {
            availabilityChanged(availability)
        }
    }

    private func availabilityChanged(_ availability: Availability) {
        switch availability {
        case .unavailable(let error):
            guard !surroundings.isLogDown else { return }
            surroundings.isLogDown = true
            projector?.logWentDown(at: surroundings.now)
            if index == 0 {
                surroundings.logger.error(
                    "the log takes no writes: play stops", metadata: ["reason": "\(error.sentence)"])
            }
        case .available:
            guard surroundings.isLogDown, let projector else { return }
            // The other shards go on when they see the outage's record; so does this one.
            projector.recordOutage(until: surroundings.now)
        }
    }

    /// The turn's last chance to send.
    func turnEnded() {
        lobby?.turnEnded()
        guard !behind.isEmpty else { return }
        for (identifier, room) in behind {
            room.catchUpMembers()
            if !room.audience.hasBehind { behind[identifier] = nil }
        }
    }

    private func drain() {
        isDraining = true
        let notice = HubMessage.notice(
            "restart", "The hub is about to restart: you lose nothing, your page comes back by itself.")
        for room in rooms.values { for member in room.audience.members { member.answer(notice) } }
        lobby?.tell(notice)
    }
}

extension Shard: LogClient {
    /// The stream `hub`: outages, from whatever hub recorded them.
    func receive(_ message: LogMessage, ticket: Ticket) {
        if case .followFailed = message {
            surroundings.end(ticket)
            mustFollowHub = true
        }
        guard case .records(_, let records) = message, ticket == hubTicket else { return }
        for record in records {
            hubVersion = record.version
            if let outage = Outage(record) { surroundings.outages.append(outage) }
        }
        guard surroundings.isLogDown else { return }
        surroundings.isLogDown = false
        if index == 0 { surroundings.logger.notice("the log takes writes again") }
        for room in rooms.values { room.logIsBack() }
    }
}

/// A member who waits for its room.
private final class HelloVisit: RoomVisitor {
    let shard: Shard
    let member: Member
    let hello: ClientMessage.Hello

    init(shard: Shard, member: Member, hello: ClientMessage.Hello) {
        (self.shard, self.member, self.hello) = (shard, member, hello)
    }

    func roomIsKnown(_ room: Room) { shard.greet(member, hello) }
}

/// A question that waits for its room.
private final class QuestionVisit: RoomVisitor {
    let shard: Shard
    let question: RoomQuestion
    let asker: Int
    let number: UInt64

    init(shard: Shard, question: RoomQuestion, asker: Int, number: UInt64) {
        (self.shard, self.question, self.asker, self.number) = (shard, question, asker, number)
    }

    func roomIsKnown(_ room: Room) {
        let reply: RoomReply =
            switch (room.life, question) {
            case (.awake, .exists): .exists
            case (.awake, .description): .description(JSONWriter.bytes(room.description))
            case (.awake, .row): .row(room.state.row)
            case (.absent, _): .absent
            case (.unread, _): .unread
            case (.broken, _), (.loading, _), (.naming, _): .broken
            }
        shard.reply(reply, to: asker, number: number)
    }
}
