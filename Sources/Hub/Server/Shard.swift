import EventStore
import Games

/// What lives on one event loop: some of the rooms, with their members. Hands each thing that the loop brings to the
/// part whose duty it is. Knows neither sockets nor threads; a test drives it by hand.
final class Shard {
    /// How often each room is looked at, which might sleep or have members who are behind.
    static let sweepPause: Milliseconds = 5_000
    private static let sweepTimer: UInt64 = 0

    let index: Int
    let surroundings: RoomSurroundings
    let shards: any ShardDirectory
    let rooms: AwakeRooms
    let calls: ShardCalls
    let members: MemberDesk
    let accounts: AccountReader
    let accountDesk: AccountDesk
    private let accountChanges: AccountChanges
    /// Of rooms here, by sockets at other nodes; nil where one node has all rooms.
    let relayed: RelayedMembers?
    /// Of sockets here, in rooms at other nodes.
    let relays: RelayDesk?
    let outages: OutageWatch
    /// Only the first shard has them.
    private let singletons: HubSingletons?
    /// Rooms that belong to another home, with something on its way to the log.
    var moving: [Room] = []
    /// Whether other nodes wait for outages of this loop that are not in the log yet.
    var owesOutages = false
    /// Whether clients have been told to come back later.
    private(set) var isDraining = false

    /// `outages` of the surroundings must hold those of the stream `hub` up to `hubEnd`.
    init(index: Int, surroundings: RoomSurroundings, shards: any ShardDirectory, hubEnd: StreamEnd) {
        self.index = index
        self.surroundings = surroundings
        self.shards = shards
        rooms = AwakeRooms(surroundings: surroundings)
        calls = ShardCalls(index: index, shards: shards, rooms: rooms, surroundings: surroundings)
        accounts = AccountReader(surroundings)
        accountDesk = AccountDesk(index: index, surroundings: surroundings, shards: shards, reader: accounts)
        accountChanges = AccountChanges(surroundings, rooms: rooms, accounts: accounts)
        members = MemberDesk(surroundings: surroundings, rooms: rooms, accounts: accounts)
        relayed = surroundings.cluster.map { [rooms, members] _ in
            RelayedMembers(surroundings, rooms: rooms, desk: members, loops: shards.count)
        }
        relays = surroundings.cluster.map { RelayDesk(surroundings, $0, loop: index) }
        singletons = index == 0 ? HubSingletons(surroundings, shards: shards, calls: calls) : nil
        outages = OutageWatch(
            surroundings, rooms: rooms, loop: Outage.Loop(index: index, count: shards.count), hubEnd: hubEnd,
            dueRooms: singletons?.dueRooms)
        outages.logIsBack = { [singletons] in singletons?.logIsBack() }
        surroundings.roomRenewed = { [rooms] in rooms.nodesChanged(for: $0) }
        rooms.playersAreDue = { [accountChanges] in accountChanges.compare($0) }
        outages.nodesChanged = { [unowned self] record in
            countNodes()
            if index == 0, let record, case .lost = NodeRecord(record) { surroundings.counters.lostNodes.add() }
            surroundings.cluster?.hasJoined = surroundings.history.roll.has(run: surroundings.run)
            if let membership = surroundings.history.roll.membership { serve(by: membership) }
        }
    }

    /// The first shard's, of a node: what tells other nodes of it.
    var keeper: NodeKeeper? {
        get { outages.keeper }
        set { outages.keeper = newValue }
    }

    /// The first shard's.
    var lobby: Lobby? { singletons?.lobby }

    /// Begins to listen to the log.
    func start() {
        outages.start()
        countNodes()
        surroundings.timers.arm(Self.sweepTimer, at: surroundings.now + Self.sweepPause)
        singletons?.start()
        keeper?.start()
    }

    /// All that comes until the next call comes in this turn. `stoodStillSince`: as `LoopService.turnBegan`.
    func turnBegan(_ turn: LoopTurn, stoodStillSince: Milliseconds?) {
        surroundings.turnBegan(turn)
        members.turnBegan()
        if let from = stoodStillSince { outages.stoodStill(from: from) }
        outages.lookAtLease()
        surroundings.counters.lastTurned.set(turn.now)
        if surroundings.canPlay { surroundings.counters.lastPlayed.set(turn.now) }
    }

    func fired(_ timer: UInt64) {
        switch timer {
        case Self.sweepTimer: sweep()
        case ReadModelUpdater.timer: singletons?.updater.tick()
        case Lobby.timer: lobby?.tick()
        case AccountChanges.timer: accountChanges.tick()
        case NodeKeeper.timer: keeper?.tick()
        case RoomReader.timer: calls.reader.tick()
        case HandOver.timer: readRooms()
        case HelloDesk.timer: members.greetWaiting()
        case LimitNotices.timer: surroundings.writeLimitNotices()
        default: rooms.timerFired(timer)
        }
    }

    private func sweep() {
        if rooms.sweep() {
            outages.sweep()
            relays?.sweep()
            singletons?.dueRooms.wake()
        }
        surroundings.timers.arm(Self.sweepTimer, at: surroundings.now + Self.sweepPause / rooms.sweeps)
    }

    func received(_ message: ShardMessage) {
        switch message {
        case .log(let batch): for message in batch { received(message) }
        case .readModels(let answer):
            surroundings.note(answer)
            surroundings.readModels.received(answer)
        case .question(let question, let code, let asker, let number):
            calls.answer(question, code: code, asker: asker, number: number)
        case .reply(let reply, let number): calls.received(reply, number: number)
        case .wake(let codes): for code in codes { _ = rooms.wake(code) }
        case .computerReply(let reply): rooms[reply.computer.room]?.home.received(reply)
        case .relay(let message, let code, let node):
            if message.isForHome {
                relayed?.received(message, about: code, from: node)
            } else {
                relays?.received(message, about: code, from: node)
            }
        case .handOver(let note, let node): received(note, from: node)
        case .renewal(let result, let moment): keeper?.received(result, sent: moment)
        case .serves: beginToServe()
        case .leaseRuns(let end): outages.leaseRuns(until: end)
        case .othersCannotRead(let types):
            surroundings.othersCannotRead(types)
            for room in rooms.all { room.home.goOn() }
        case .linkIsBack(let node): linkIsBack(to: node)
        case .linkIsDown(let node): linkIsDown(to: node)
        case .account(let order, let asker, let number): accountDesk.perform(order, asker: asker, number: number)
        case .accountSettled(let answer, let number): accountDesk.settled(answer, number: number)
        case .accountChanged(let account):
            accountChanges.changed(account)
            lobby?.names.nameChanged(of: account)
        case .namesCaughtUp: namesCaughtUp()
        case .draining: drain()
        }
    }

    private func received(_ message: LogMessage) {
        if case .settled = message { outages.logAnswered() }
        surroundings.note(message)
        if let ticket = message.ticket {
            surroundings.client(of: ticket)?.receive(message, ticket: ticket)
        } else if case .availability(let availability) = message {
            outages.availabilityChanged(availability)
        }
    }

    // MARK: WebSockets

    /// One that was opened for the room `code`. Nil where it had to be closed at once.
    func enter(_ channel: any SocketChannel, room code: String) -> (any RoomConnection)? {
        if let relays, let node = surroundings.cluster?.home(ofRoom: code) {
            return relays.enter(channel, room: code, at: node)
        }
        return members.enter(channel, room: code)
    }

    /// A text message.
    func received(_ bytes: RawSpan, from connection: any RoomConnection) {
        if let member = connection as? Member {
            members.received(bytes, from: member)
        } else if let connection = connection as? RelayedConnection {
            relays?.received(bytes, from: connection)
        }
    }

    /// Its socket has taken everything.
    func drained(_ connection: any RoomConnection) {
        if let member = connection as? Member {
            member.room.edge.drained(member)
        } else if let connection = connection as? RelayedConnection {
            relays?.drained(connection)
        }
    }

    func closed(_ connection: any RoomConnection) {
        if let member = connection as? Member {
            members.closed(member)
        } else if let connection = connection as? RelayedConnection {
            relays?.closed(connection)
        }
    }

    // MARK: Nodes

    /// These nodes serve the rooms from now on.
    func serve(by membership: Membership) {
        guard let cluster = surroundings.cluster else { return }
        cluster.change(to: membership, at: surroundings.now)
        relayed?.nodesChanged()
        relays?.nodesChanged()
        moveRooms()
        singletons?.nodesChanged()
    }

    private func countNodes() {
        guard index == 0 else { return }
        surroundings.counters.nodes.set(surroundings.history.roll.runs.count)
        surroundings.counters.epoch.set(surroundings.history.roll.epoch)
    }

    /// What was said on the link before it was made anew may not have come, either way.
    private func linkIsBack(to node: NodeName) {
        relayed?.forget(node)
        relays?.linkIsBack(to: node)
        tellHandOver(to: node)
        namesCaughtUp()
    }

    /// Anybody may be called otherwise than before.
    private func namesCaughtUp() {
        accountChanges.namesCaughtUp()
        lobby?.names.nameChanged(of: nil)
    }

    /// The turn's last chance to send.
    func turnEnded() {
        settle()
        guard !surroundings.edgesBehind.isEmpty else { return }
        let edges = surroundings.edgesBehind
        surroundings.edgesBehind = []
        for edge in edges { edge.catchUpMembers() }
    }

    /// Lets go of rooms, members and whoever waits for an answer: for who needs many hubs in one process.
    func discard() {
        for room in rooms.all {
            room.sleep()
            room.home.end()
            room.edge.letGoOfAll()
            for member in room.edge.members { room.edge.leave(member) }
        }
        surroundings.discard()
    }

    private func drain() {
        isDraining = true
        let notice = HubMessage.notice(
            "restart", "The hub is about to restart: you lose nothing, your page comes back by itself.")
        for room in rooms.all { room.edge.answerAll(notice) }
        relays?.tell(notice)
        lobby?.tell(notice)
    }
}
