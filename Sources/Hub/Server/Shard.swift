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
    /// That stream could not be read just now: it is tried again with the next sweep.
    private var mustFollowHub = false
    /// Whether clients have been told to come back later.
    private(set) var isDraining = false
    let registry: PlayerRegistry
    private var recorder: OutageRecorder?
    /// Only the first shard has one.
    private var updater: ReadModelUpdater?
    /// Only the first shard has one.
    private var dueRooms: DueRooms?
    /// Only the first shard has one.
    private(set) var lobby: Lobby?

    init(index: Int, surroundings: RoomSurroundings, shards: any ShardDirectory) {
        self.index = index
        self.surroundings = surroundings
        self.shards = shards
        registry = PlayerRegistry(index: index, surroundings: surroundings, shards: shards)
    }

    /// Begins to listen to the log. `outages` of the surroundings must hold those of the stream `hub` up to `hubEnd`.
    func start(hubEnd: StreamEnd) {
        recorder = OutageRecorder(
            surroundings, loop: Outage.Loop(index: index, count: shards.count), hubEnd: hubEnd)
        followHub()
        surroundings.log.watchAvailability(into: surroundings.inbox)
        surroundings.timers.arm(Self.sweepTimer, at: surroundings.now + Self.sweepPause)
        if index == 0 {
            lobby = Lobby(surroundings: surroundings)
            dueRooms = DueRooms(surroundings, shards: shards)
            updater = ReadModelUpdater(shard: self)
            updater?.start()
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
        surroundings.log.follow(.hub, after: recorder?.hubVersion ?? 0, ticket: hubTicket, into: surroundings.inbox)
    }

    private func sweep() {
        if mustFollowHub { followHub() }
        recorder?.appendNext()
        for room in rooms.values { room.edge.closeSilent() }
        for room in rooms.values where room.maySleep { letGo(of: room) }
        dueRooms?.wake()
        surroundings.timers.arm(Self.sweepTimer, at: surroundings.now + Self.sweepPause)
    }

    private func letGo(of room: Room) {
        room.sleep()
        rooms[room.code] = nil
        roomOfTimer[room.timerToken] = nil
        surroundings.counters.rooms.set(rooms.count)
    }

    /// Of a code that no room bears nothing is kept: whoever tries many takes no place from the rooms that are there.
    func letGoIfAbsent(_ room: Room) {
        if room.life == .absent, room.maySleep, rooms[room.code] === room { letGo(of: room) }
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

    func reply(_ reply: RoomReply, to asker: Int, number: UInt64) {
        if asker == index {
            replies.removeValue(forKey: number)?(reply)
        } else {
            shards.post(.reply(reply, number: number), to: asker)
        }
    }

    // MARK: Connections

    /// A connection to the room `code`, upgraded. Nil where it had to be closed at once.
    func enter(_ channel: any MemberChannel, room code: String) -> Member? {
        guard let room = room(code), room.edge.members.count < surroundings.limits.membersPerRoom else {
            channel.close(.tryAgainLater, "this room has as many connections as it may have")
            return nil
        }
        let member = Member(
            channel: channel, room: room, limits: surroundings.limits, now: surroundings.now)
        room.edge.enter(member)
        surroundings.counters.members.add(1)
        return member
    }

    func closed(_ member: Member) {
        member.room.edge.leave(member)
        letGoIfAbsent(member.room)
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
        case .ping(let number): member.answer(HubMessage.pong(number, now: member.room.stream.now))
        case .command(let id, let type, let fields): command(type, fields, id: id, from: member)
        }
    }

    private func command(_ type: String, _ fields: Fields, id: String, from member: Member) {
        let room = member.room
        do throws(Rejection) {
            guard member.stage != .new else { throw .helloFirst }
            if let message = try Chat.Message(type: type, fields: fields) {
                guard member.player != nil else { throw .noName }
                return room.edge.handle(message, id: id, from: member)
            }
            guard let command = try RoomCommand(type: type, fields: fields, game: room.stream.state.kind) else {
                throw .unknownType(type)
            }
            guard let player = member.player?.id else { throw .noName }
            let asker = RoomRequest.Asker.member(player, ReplyAddress(member: member.id, id: id))
            room.home.handle(RoomRequest(asker, command, at: room.stream.now))
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
        surroundings.readModels.player(tokenHash: hash) { [self] result in
            switch result {
            case .failure: member.close(.tryAgainLater, "names cannot be looked up just now")
            case .success(nil): stranger(member, hello)
            case .success(let player?):
                member.player = player
                admit(member, hello)
            }
        }
    }

    /// A token that nobody bears: it watches, and is told so.
    private func stranger(_ member: Member, _ hello: ClientMessage.Hello) {
        member.player = nil
        let count = surroundings.addressLimits.failures.count(member.channel.address, now: surroundings.now)
        guard count == .withinLimit else {
            return member.close(.policyViolation, "too many wrong tokens from your address")
        }
        member.answer(HubMessage.error(nil, .unknownToken))
        admit(member, hello)
    }

    private func admit(_ member: Member, _ hello: ClientMessage.Hello) {
        guard member.stage == .identifying else { return }
        member.room.whenKnown(HelloVisit(shard: self, member: member, hello: hello))
    }

    func greet(_ member: Member, _ hello: ClientMessage.Hello) {
        guard member.stage == .identifying else { return }
        switch member.room.life {
        case .awake: member.room.edge.greet(member, hello)
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

    /// All that comes until the next call comes at `now`. `stoodStillSince`: as `LoopService.turnBegan`.
    func turnBegan(at now: Milliseconds, stoodStillSince: Milliseconds?) {
        surroundings.turnBegan(at: now)
        if let from = stoodStillSince {
            surroundings.counters.stalls.add(1)
            surroundings.logger.warning(
                "an event loop stood still: that time counts against nobody",
                metadata: ["loop": "\(index)", "for": "\(now - from) ms"])
            for room in rooms.values { room.shift(by: now - from) }
            recorder?.stoodStill(from: from, until: now)
        }
        if surroundings.canPlay { surroundings.counters.lastPlayed.set(now) }
    }

    func fired(_ token: UInt64) {
        if token == Self.sweepTimer { return sweep() }
        if token == ReadModelUpdater.timer { return updater?.tick() ?? () }
        if token == Lobby.timer { return lobby?.tick() ?? () }
        roomOfTimer[token]?.timerFired()
    }

    func received(_ message: ShardMessage) {
        switch message {
        case .log(let batch): for message in batch { received(message) }
        case .readModels(let answer): surroundings.readModels.received(answer)
        case .question(let question, let code, let asker, let number):
            answer(question, code: code, asker: asker, number: number)
        case .reply(let reply, let number): replies.removeValue(forKey: number)?(reply)
        case .wake(let codes): for code in codes { _ = room(code) }
        case .computerReply(let reply): rooms[reply.computer.room]?.home.received(reply)
        case .player(let order, let asker, let number): registry.perform(order, asker: asker, number: number)
        case .playerSettled(let answer, let number): registry.settled(answer, number: number)
        case .forgotten(let player): forget(player)
        case .draining: drain()
        }
    }

    /// Looks again behind what was asked before: an answer on its way may still name the player.
    private func forget(_ player: PlayerID) {
        for room in rooms.values { room.edge.forget(player) }
        surroundings.readModels.players(ids: [player]) { [self] result in
            guard case .success([]) = result else { return }
            for room in rooms.values { room.edge.forget(player) }
        }
    }

    private func received(_ message: LogMessage) {
        if let ticket = message.ticket {
            guard let client = surroundings.client(of: ticket) else { return }
            client.receive(message, ticket: ticket)
        } else if case .availability(let availability) = message {
            availabilityChanged(availability)
        }
    }

    private func availabilityChanged(_ availability: Availability) {
        switch availability {
        case .unavailable(let error):
            let wasDown = surroundings.isLogDown
            recorder?.logWentDown(at: surroundings.now)
            if index == 0, !wasDown {
                surroundings.logger.error(
                    "the log takes no writes: play stops", metadata: ["reason": "\(error.sentence)"])
            }
        case .available:
            // Rooms go on when the shard sees the record of the outage.
            recorder?.logIsBack(at: surroundings.now)
        }
    }

    /// The turn's last chance to send.
    func turnEnded() {
        lobby?.turnEnded()
        guard !surroundings.edgesBehind.isEmpty else { return }
        let edges = surroundings.edgesBehind
        surroundings.edgesBehind = []
        for edge in edges { edge.catchUpMembers() }
    }

    private func drain() {
        isDraining = true
        let notice = HubMessage.notice(
            "restart", "The hub is about to restart: you lose nothing, your page comes back by itself.")
        for room in rooms.values { room.edge.answerAll(notice) }
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
        let (couldPlay, wasDown) = (surroundings.canPlay, surroundings.isLogDown)
        for record in records { recorder?.received(record) }
        guard !couldPlay, surroundings.canPlay else { return }
        guard wasDown else { return rooms.values.forEach { $0.home.goOn() } }
        if index == 0 { surroundings.logger.notice("the log takes writes again") }
        dueRooms?.logIsBack()
        for room in rooms.values { room.logIsBack() }
    }
}
