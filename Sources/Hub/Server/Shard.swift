import EventStore
import Games
import Records
import RoomRules
import Rooms

/// Everything on one event loop: some of the rooms, with their members. Passes everything from the loop to the
/// responsible part. It knows no sockets or threads, so a test can drive it.
final class Shard {
    /// The pause between two sweeps over all rooms, for those that might sleep or have members that are behind.
    static let sweepPause: Milliseconds = 5_000

    let index: Int
    let surroundings: RoomSurroundings
    let readModels: ReadModels
    /// Nil if the log is not shared.
    let cluster: Cluster?
    let shards: any ShardDirectory
    let rooms: AwakeRooms
    let calls: ShardCalls
    let members: MemberDesk
    let accounts: AccountReader
    let accountDesk: AccountDesk
    private let accountChanges: AccountChanges
    /// Members here whose sockets are at other nodes; nil without other nodes.
    let relayed: RelayedMembers?
    /// Sockets here for rooms at other nodes; nil without other nodes.
    let relays: RelayDesk?
    let outages: OutageWatch
    /// Only the first shard has them.
    let singletons: HubSingletons?
    /// Finds rooms' homes; nil without other nodes.
    let claims: ClaimDesk?
    /// Set once this node leaves.
    var drain: RoomDrain?
    /// Whether clients have been told to come back later.
    private(set) var isDraining = false

    /// The surroundings' `outages` must have those of the stream `hub` up to `hubEnd`.
    init(
        index: Int, surroundings: RoomSurroundings, readModels: ReadModels, cluster: Cluster?,
        shards: any ShardDirectory, hubEnd: StreamEnd
    ) {
        (self.index, self.surroundings, self.readModels) = (index, surroundings, readModels)
        (self.cluster, self.shards) = (cluster, shards)
        rooms = AwakeRooms(surroundings: surroundings)
        calls = ShardCalls(
            index: index, shards: shards, rooms: rooms, surroundings: surroundings, readModels: readModels)
        accounts = AccountReader(surroundings)
        accountDesk = AccountDesk(
            index: index, surroundings: surroundings, cluster, shards: shards, reader: accounts)
        accountChanges = AccountChanges(surroundings, readModels, rooms: rooms, accounts: accounts)
        members = MemberDesk(surroundings: surroundings, rooms: rooms, players: accounts)
        relayed = cluster.map { [rooms, members] in
            RelayedMembers(surroundings, $0, rooms: rooms, desk: members, loops: shards.count)
        }
        let relays = cluster.map { RelayDesk(surroundings, $0, loop: index) }
        self.relays = relays
        claims = cluster.flatMap { [rooms, members] cluster in
            relays.map { ClaimDesk(surroundings, cluster, rooms: rooms, members: members, relays: $0) }
        }
        singletons = index == 0 ? HubSingletons(surroundings, readModels, cluster, shards: shards, calls: calls) : nil
        outages = OutageWatch(
            surroundings, rooms: rooms, loop: Outage.Loop(index: index, count: shards.count), hubEnd: hubEnd,
            dueRooms: singletons?.dueRooms)
        outages.logIsBack = { [singletons] in singletons?.logIsBack() }
        surroundings.homeLost = { [unowned self] in homeLost($0) }
        claims?.holderIsUnknown = { [shards] in shards.post(.holderIsUnknown(run: $0), to: 0) }
        relayed?.wake = { [claims] in claims?.wake($0, then: $1) }
        rooms.isAsleep = { [claims] in claims?.release($0.code, owed: $0.owedSince) }
        rooms.playersAreDue = { [accountChanges] in accountChanges.compare($0) }
        outages.nodesChanged = { [unowned self] record in
            countNodes()
            if index == 0, let record, case .lost = NodeRecord(record) { surroundings.counters.lostNodes.add() }
            nodesChanged()
        }
    }

    /// Set on the first shard of a node.
    var keeper: NodeKeeper? {
        get { outages.keeper }
        set { outages.keeper = newValue }
    }

    var lobby: Lobby? { singletons?.lobby }

    /// Starts listening to the log.
    func start() {
        outages.start()
        countNodes()
        surroundings.timers.arm(.sweep, at: surroundings.now + Self.sweepPause)
        singletons?.start()
        keeper?.start()
    }

    /// Starts a turn, which lasts until the next call. `stoodStillSince` is that of `LoopService.turnBegan`.
    func turnBegan(_ turn: LoopTurn, stoodStillSince: Milliseconds?) {
        surroundings.turnBegan(turn)
        members.turnBegan()
        if let from = stoodStillSince { outages.stoodStill(from: from) }
        outages.turnBegan()
        surroundings.counters.lastTurned.set(turn.now)
        if surroundings.canPlay, outages.isSettled { surroundings.counters.lastPlayed.set(turn.now) }
    }

    func fired(_ timer: UInt64) {
        switch LoopTimer(rawValue: timer) {
        case .sweep: sweep()
        case .readModels: singletons?.updater.updateRows()
        case .roomReader: calls.reader.tick()
        case .greetings: members.greetWaiting()
        case .limitNotices: surroundings.writeLimitNotices()
        case .accountChanges: accountChanges.retryUnreadAccounts()
        case .lobby: lobby?.sendChanges()
        case .node: keeper?.tick()
        case .claims: claims?.timerFired()
        case .drain: drain?.giveUpSome()
        case .links: break
        case nil: rooms.timerFired(timer)
        }
    }

    private func sweep() {
        if rooms.sweep() {
            outages.sweep()
            singletons?.dueRooms.wake()
        }
        surroundings.timers.arm(.sweep, at: surroundings.now + Self.sweepPause / rooms.sweeps)
    }

    func received(_ message: ShardMessage) {
        switch message {
        case .log(let batch): for message in batch { received(message) }
        case .readModels(let answer):
            if let error = answer.failure { surroundings.logFailure(error, "the read models did not answer") }
            readModels.answerArrived(answer)
        case .question(let question, let code, let asker, let number):
            calls.answer(question, code: code, asker: asker, number: number)
        case .reply(let reply, let number): calls.received(reply, number: number)
        case .wake(let codes):
            for code in codes {
                if let claims { claims.wake(code) } else { _ = rooms.wake(code) }
            }
        case .computerReply(let reply): rooms[reply.computer.room]?.computerReplied(reply)
        case .relay(let message, let code, let node):
            if message.isForHome {
                relayed?.received(message, about: code, from: node)
            } else {
                relays?.received(message, about: code, from: node)
            }
        case .renewal(let result, let moment): keeper?.received(result, sent: moment)
        case .serves: beginToServe()
        case .leaves: leave()
        case .hasLeft: keeper?.loopHasLeft()
        case .holderIsUnknown(let run): keeper?.watch(run)
        case .leaseRuns(let end, let version): outages.leaseRuns(until: end, hubVersion: version)
        case .othersCannotRead(let types):
            surroundings.othersCannotRead(types)
            for room in rooms.all { room.checkClock() }
        case .linkIsBack(let node): linkIsBack(to: node)
        case .linkIsDown(let node): linkIsDown(to: node)
        case .account(let order, let asker, let number): accountDesk.runOrder(order, asker: asker, number: number)
        case .accountSettled(let answer, let number): accountDesk.orderSettled(answer, number: number)
        case .accountChanged(let account):
            accountChanges.changed(account)
            lobby?.names.nameChanged(of: account)
        case .namesCaughtUp: namesCaughtUp()
        case .draining: tellOfRestart()
        }
    }

    private func received(_ message: LogMessage) {
        if case .settled = message { outages.logAnswered() }
        surroundings.logFailure(in: message)
        if let ticket = message.ticket {
            surroundings.client(of: ticket)?.logSent(message, ticket: ticket)
        } else if case .availability(let availability) = message {
            outages.availabilityChanged(availability)
        } else if case .claimLost(let stream) = message, let code = stream.roomCode {
            homeLost(code)
        } else if case .claimedAgain(let claim) = message, let code = claim.stream.roomCode {
            rooms[code]?.claimAgain(claim)
        }
    }

    // MARK: WebSockets

    /// A WebSocket was opened for the room `code`; nil if it had to be closed at once.
    func enter(_ channel: any SocketChannel, room code: String) -> (any RoomConnection)? {
        guard let claims, let relays, rooms[code] == nil else { return members.enter(channel, room: code) }
        if let node = relays.home(ofRoom: code) { return relays.enter(channel, room: code, at: node) }
        return claims.enter(channel, room: code)
    }

    func received(_ bytes: RawSpan, from connection: any RoomConnection) {
        if let member = connection as? Member {
            members.messageReceived(bytes, from: member)
        } else if let connection = connection as? RelayedConnection {
            relays?.received(bytes, from: connection)
        } else if let arrival = connection as? Arrival {
            if let connection = arrival.connection { return received(bytes, from: connection) }
            claims?.received(bytes, from: arrival)
        }
    }

    /// The connection's socket has taken everything.
    func drained(_ connection: any RoomConnection) {
        if let member = connection as? Member {
            member.room.edge.drained(member)
        } else if let connection = connection as? RelayedConnection {
            relays?.drained(connection)
        } else if let connection = (connection as? Arrival)?.connection {
            drained(connection)
        }
    }

    func closed(_ connection: any RoomConnection) {
        if let member = connection as? Member {
            members.closed(member)
        } else if let connection = connection as? RelayedConnection {
            relays?.closed(connection)
        } else if let arrival = connection as? Arrival {
            if let connection = arrival.connection { return closed(connection) }
            claims?.closed(arrival)
        }
    }

    private func countNodes() {
        if index == 0 { surroundings.counters.nodes.set(surroundings.history.roll.runs.count) }
    }

    /// Any player may have another name.
    func namesCaughtUp() {
        accountChanges.namesCaughtUp()
        lobby?.names.nameChanged(of: nil)
    }

    /// Ends the turn, after which nothing more is sent.
    func turnEnded() {
        guard !surroundings.membersBehind.isEmpty else { return }
        let members = surroundings.membersBehind
        surroundings.membersBehind = []
        for member in members { member.turnEnded() }
    }

    /// Breaks reference cycles for tests with many hubs in one process.
    func discard() {
        for room in rooms.all { room.discard() }
        surroundings.discard()
    }

    private func tellOfRestart() {
        isDraining = true
        let notice = HubMessage.notice(
            "restart", "The hub is about to restart. You lose nothing, and your page comes back by itself.")
        for room in rooms.all { room.edge.answerAll(notice) }
        relays?.tell(notice)
        lobby?.tell(notice)
    }
}
