import Cluster
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
    let shards: any ShardDirectory
    let rooms: AwakeRooms
    let calls: ShardCalls
    let members: MemberDesk
    let accounts: AccountReader
    let accountDesk: AccountDesk
    private let accountChanges: AccountChanges
    /// Nil if the log is not shared.
    let node: NodeLoop?
    let outages: OutageWatch
    /// Only the first shard has them.
    let singletons: HubSingletons?
    /// Whether clients have been told to come back later.
    private(set) var isDraining = false

    /// The surroundings' `outages` must have those of the stream `hub` up to `hubEnd`.
    init(
        index: Int, surroundings: RoomSurroundings, readModels: ReadModels, cluster: ServingNodes?,
        shards: any ShardDirectory, hubEnd: StreamEnd
    ) {
        (self.index, self.surroundings, self.readModels, self.shards) = (index, surroundings, readModels, shards)
        rooms = AwakeRooms(surroundings: surroundings)
        calls = ShardCalls(
            index: index, shards: shards, rooms: rooms, surroundings: surroundings, readModels: readModels)
        accounts = AccountReader(surroundings)
        accountDesk = AccountDesk(index: index, surroundings: surroundings, cluster, shards: shards, reader: accounts)
        accountChanges = AccountChanges(surroundings, readModels, rooms: rooms, accounts: accounts)
        members = MemberDesk(surroundings: surroundings, rooms: rooms, players: accounts)
        node = cluster.map { [rooms, members] in
            NodeLoop($0, surroundings, rooms: rooms, members: members, loops: shards, index: index)
        }
        singletons = index == 0 ? HubSingletons(surroundings, readModels, cluster, shards: shards, calls: calls) : nil
        outages = OutageWatch(
            surroundings, rooms: rooms, loop: Outage.Loop(index: index, count: shards.count), hubEnd: hubEnd,
            node: node)
        outages.logIsBack = { [singletons] in singletons?.logIsBack() }
        rooms.playersAreDue = { [accountChanges] in accountChanges.compare($0) }
        outages.nodesChanged = { [unowned self] record in
            countNodes()
            if index == 0, let record, case .lost = NodeRecord(record) { surroundings.counters.lostNodes.add() }
            nodesChanged()
        }
    }

    /// The first shard of a node has one.
    var keeper: NodeKeeper? { node?.keeper }

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

    func fired(_ token: UInt64) {
        guard let timer = LoopTimer(rawValue: token) else { return rooms.timerFired(token) }
        switch timer {
        case .sweep: sweep()
        case .readModels: singletons?.updater.updateRows()
        case .roomReader: calls.reader.retryPostponed()
        case .greetings: members.greetWaiting()
        case .limitNotices: surroundings.writeLimitNotices()
        case .accountChanges: accountChanges.retryUnreadAccounts()
        case .lobby: lobby?.sendChanges()
        case .node, .claims, .drain: node?.fired(timer)
        case .links: break
        }
    }

    private func sweep() {
        if rooms.sweep() {
            outages.sweep()
            singletons?.dueRooms.wake()
        }
        surroundings.timers.arm(.sweep, at: surroundings.now + Self.sweepPause / rooms.sweeps)
    }

    func handle(_ message: ShardMessage) {
        switch message {
        case .log(let batch): for message in batch { logSent(message) }
        case .readModels(let answer):
            if let error = answer.failure { surroundings.logFailure(error, .rowsNotAnswered) }
            readModels.answerArrived(answer)
        case .question(let question, let code, let asker, let number):
            calls.answer(question, code: code, asker: asker, number: number)
        case .reply(let reply, let number): calls.replyArrived(reply, number: number)
        case .wake(let codes):
            for code in codes {
                if let node { node.wake(code) } else { _ = rooms.wake(code) }
            }
        case .computerReply(let reply): rooms[reply.computer.room]?.computerReplied(reply)
        case .node(let notice): handle(notice)
        case .account(let order, let asker, let number): accountDesk.runOrder(order, asker: asker, number: number)
        case .accountSettled(let answer, let number): accountDesk.orderSettled(answer, number: number)
        case .draining: tellOfRestart()
        }
    }

    private func handle(_ notice: NodeNotice) {
        node?.noticeArrived(notice)
        switch notice {
        case .accountChanged(let account): accountChanged(account)
        case .leaseRuns(let end, let version): outages.leaseRuns(until: end, hubVersion: version)
        case .serves:
            singletons?.dueRooms.nodesChanged()
            singletons?.dueRooms.wake()
        case .linkIsBack: accountChanged(nil)
        default: break
        }
    }

    private func logSent(_ message: LogMessage) {
        if case .settled = message { outages.logAnswered() }
        surroundings.logFailure(in: message)
        if let ticket = message.ticket {
            surroundings.log.client(of: ticket)?.logSent(message, ticket: ticket)
        } else if case .availability(let availability) = message {
            outages.availabilityChanged(availability)
        } else {
            node?.logSent(message)
        }
    }

    // MARK: WebSockets

    /// A WebSocket was opened; nil if it had to be closed at once, or needs no one.
    func enter(_ channel: any SocketChannel, for purpose: WebSocketPurpose) -> (any HubConnection)? {
        switch purpose {
        case .room(let code): enter(channel, room: code)
        case .lobby: lobby?.enter(channel)
        case .echo: nil
        }
    }

    func enter(_ channel: any SocketChannel, room code: String) -> (any HubConnection)? {
        if let node, rooms[code] == nil { return node.enter(channel, room: code) }
        return members.enter(channel, room: code)
    }

    private func countNodes() {
        if index == 0 { surroundings.counters.nodes.set(surroundings.history.roll.runs.count) }
    }

    /// The set of nodes that serve has changed.
    func nodesChanged() {
        node?.nodesChanged()
        singletons?.nodesChanged()
    }

    /// Nil if any account may have changed.
    private func accountChanged(_ account: PlayerID?) {
        if let account { accountChanges.changed(account) } else { accountChanges.namesCaughtUp() }
        lobby?.names.nameChanged(of: account)
    }

    /// Ends the turn, after which nothing more is sent.
    func turnEnded() {
        surroundings.log.handOver()
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
        node?.tell(notice)
        lobby?.tell(notice)
    }
}
