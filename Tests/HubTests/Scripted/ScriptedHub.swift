import Cryptography
import EventStore
import Games
import JSON
import Logging
import Transport
import WebProtocols

@testable import Cluster
@testable import Hub
@testable import RoomRules
@testable import Rooms

/// A whole hub of one shard on the test's thread: scripted clock, random bytes, log and connections.
final class ScriptedHub: ShardDirectory {
    private let disk: ScriptedStorage
    /// For a node of a cluster.
    private let node: ScriptedNode?
    /// Called when it has come to rest.
    var hasSettled: (() -> Void)?
    private var options: HubOptions
    private(set) var log: InMemoryLog!
    private(set) var shard: Shard!
    private(set) var api: API!
    /// Of all starts.
    private var shards: [Shard] = []
    private var clients: [ScriptedClient] = []
    private var inbox = ScriptedInbox()
    private let timers = ScriptedTimers()
    private(set) var counters: HubCounters!
    /// The name of each start.
    private(set) var runs: [String] = []
    var run: String { runs.last ?? "" }
    private(set) var computers: ScriptedComputers!
    private(set) var games: GameCatalog!
    private let random: SeededRandom
    private let addressLimits: AddressLimits
    let witness: ScriptedWitness
    /// The system's clocks.
    let time = ScriptedTime()
    private var clock: HubClock!
    let logged = LoggedLines()
    /// Timers that have fired.
    private(set) var firedCount = 0
    /// Every byte that has left the hub, over sockets and HTTP.
    var sent = SentBytes()

    var count: Int { 1 }
    var now: Milliseconds { clock.now() }
    /// A turn that begins now, right after the one before.
    var turn: LoopTurn {
        let steady = time.read().boot
        return LoopTurn(now: now, began: steady, lastEnded: steady)
    }
    var storage: InMemoryStorage { disk.log }
    var rows: ScriptedRows { disk.rows }
    static let operatorToken = SHA256.digest(of: "the operator").bytes.base64URL

    /// `addressLimits` if another hub counts there too, as another loop does. `webFolder` if it has a page.
    init(
        seed: UInt64 = 1, pace: InMemoryLog.Pace = .automatic, limits: HubLimits = HubLimits(),
        addressLimits: AddressLimits? = nil, games: [any Game.Type] = GameList.all,
        webFolder: String? = nil, hostNames: [String] = [], storage: InMemoryStorage = InMemoryStorage()
    ) {
        disk = ScriptedStorage(log: storage)
        node = nil
        options = HubOptions(transport: TransportOptions(addresses: []))
        options.transport.loops = 1
        (options.limits, options.games, options.webFolder) = (limits, games, webFolder)
        options.hostNames = hostNames
        self.addressLimits = addressLimits ?? AddressLimits(limits)
        random = SeededRandom(seed)
        witness = ScriptedWitness(storage: storage, limits: limits)
        witness.isOn = games.count == GameList.all.count && storage.records.isEmpty
        start(pace: pace)
    }

    /// A node of a cluster, which shares `disk` with the others.
    init(seed: UInt64, on disk: ScriptedStorage, as node: ScriptedNode, limits: HubLimits = HubLimits()) {
        (self.disk, self.node) = (disk, node)
        options = HubOptions(transport: TransportOptions(addresses: []))
        options.node = node.options
        options.limits = limits
        options.transport.loops = 1
        addressLimits = AddressLimits(HubLimits())
        random = SeededRandom(seed)
        witness = ScriptedWitness(storage: disk.log, limits: HubLimits())
        witness.isOn = false
        start()
    }

    /// The data that a start on this log would begin with. Read at once, at any pace of the hub's log.
    func boot(lastSignOfLife: Milliseconds? = nil, trusting trusted: TrustedClock? = nil) throws -> HubBoot {
        options.trustedClock = trusted
        disk.lastSignOfLife = lastSignOfLife
        return try HubBoot(
            options, storage: disk, time: time, random: random, addressLimits: addressLimits,
            logger: Logger(label: "test") { [logged] _ in logged })
    }

    private func start(
        pace: InMemoryLog.Pace = .automatic, lastSignOfLife: Milliseconds? = nil,
        trusting trusted: TrustedClock? = nil, failedReadings: Int = 0
    ) {
        let boot: HubBoot
        do { boot = try self.boot(lastSignOfLife: lastSignOfLife, trusting: trusted) } catch {
            report("\(error)")
            return
        }
        guard let log = boot.log as? InMemoryLog, let token = PlayerToken(Self.operatorToken) else {
            preconditionFailure("the log is in memory, and 32 bytes are a token")
        }
        log.pace = pace
        for _ in 0..<failedReadings { log.putIn(.unreadable(.cannotRead(reason: "bad sector"))) }
        (self.log, clock, games, counters) = (log, boot.clock, boot.games, boot.counters[0])
        runs.append(boot.run)
        computers = ScriptedComputers(games: boot.games)
        let cluster = node.map { ServingNodes(node: $0.name, log: log, nodes: [], links: $0.links) }
        shard = boot.shard(
            on: ShardLoop(
                index: 0, shards: self, timers: timers, computers: computers, now: now,
                post: { [inbox] in inbox.post($0) }, cluster: cluster, host: node?.host))
        if cluster != nil { shard.nodesChanged() }
        shards.append(shard)
        api = boot.api(of: shard, operatorKey: OperatorKey(token))
        log.watchAvailability(into: witness.availability)
        witness.clock = { [unowned self] in self.clock.now() }
        witness.began(now: now)
        settle()
    }

    /// The process dies and starts again `downtime` ms later, with only what the log holds. Its first `failedReadings`
    /// reads fail. In between, the system's clock is set by `step` ms.
    func crash(
        downtime: Milliseconds, step: Milliseconds = 0, trusting trusted: TrustedClock? = nil,
        keepsRows: Bool = true, keepsNote: Bool = true, failedReadings: Int = 0
    ) {
        log.crash()
        witness.died()
        let died = now
        time.pass(downtime)
        time.setWall(by: step)
        inbox = ScriptedInbox()
        timers.reset()
        if !keepsRows { disk.dropRows() }
        options.limits = HubLimits()
        start(lastSignOfLife: keepsNote ? died : nil, trusting: trusted, failedReadings: failedReadings)
    }

    /// Writes rows that do not follow from the hub's log.
    func write(_ rows: [RowChange], reached position: Int? = nil) { disk.openRows().apply(rows, reached: position) }

    func post(_ message: ShardMessage, to shard: Int) { inbox.post(message) }

    /// Lets everything happen that does not need time to pass.
    func settle() {
        for _ in 0..<100_000 {
            shard.turnBegan(turn, stoodStillSince: nil)
            log.run()
            let messages = inbox.take()
            for message in messages { shard.handle(message) }
            shard.turnEnded()
            if messages.isEmpty, log.waiting == 0, inbox.isEmpty {
                hasSettled?()
                return
            }
        }
        report("the hub does not come to rest")
    }

    /// One call of the log, with its consequences.
    func step() {
        log.step()
        for message in inbox.take() { shard.handle(message) }
        shard.turnEnded()
    }

    /// Time passes, and timers fire on the way, in order.
    func pass(_ span: Milliseconds) {
        let end = now + span
        while let next = timers.next, next.time <= end {
            reach(next.time)
            shard.turnBegan(turn, stoodStillSince: nil)
            fire(next.token)
            settle()
        }
        reach(end)
        settle()
        witnessRest()
    }

    /// Tells the witness that all that is due has been done. What is still waited for comes by itself, or not at all.
    private func witnessRest() {
        guard log.pace == .automatic, witness.availability.isWritable, timers.next.map({ $0.time > now }) ?? true else {
            return
        }
        witness.rested(at: now)
    }

    /// Time passes, and due timers fire, while the log does nothing.
    func wait(_ span: Milliseconds) {
        reach(now + span)
        shard.turnBegan(turn, stoodStillSince: nil)
        while let next = timers.next, next.time <= now { fire(next.token) }
        for message in inbox.take() { shard.handle(message) }
        shard.turnEnded()
    }

    /// Time passes in one step: a timer that fires each second fires once.
    func skip(_ span: Milliseconds) {
        reach(now + span)
        shard.turnBegan(turn, stoodStillSince: nil)
        while let next = timers.next, next.time <= now { fire(next.token) }
        settle()
    }

    /// The process is blocked for `span` ms. `waiting` is what clients said in that time, read in the next turn, before
    /// the due timers.
    func standStill(_ span: Milliseconds, waiting: () -> Void = {}) {
        let before = now
        time.pass(span)
        shard.turnBegan(turn, stoodStillSince: before)
        waiting()
        while let next = timers.next, next.time <= now { fire(next.token) }
        settle()
    }

    private func fire(_ token: UInt64) {
        timers.cancel(token)
        firedCount += 1
        shard.fired(token)
    }

    /// Moves the hub's clock to `target`. Nothing happens on the way.
    private func reach(_ target: Milliseconds) {
        // A slewed clock runs 1 % faster or slower, but must not pass the target.
        while now < target { time.pass(max(1, (target - now) * 100 / 101)) }
    }

    /// Breaks reference cycles, of which a running hub has many: for tests that need many hubs.
    func stop() {
        for client in clients { client.forget() }
        for shard in shards { shard.discard() }
        (shards, clients, shard, api, computers, log) = ([], [], nil, nil, nil, nil)
    }

    // MARK: Connections

    /// A connection to a room that has not said hello.
    func connect(_ code: String, from peer: Peer = .at("192.0.2.2"), settling: Bool = true) -> ScriptedClient {
        let client = ScriptedClient(hub: self, from: peer)
        clients.append(client)
        client.number = witness.opened(room: code)
        client.connection = shard.enter(client, room: code)
        if settling { settle() }
        return client
    }

    /// A connection that has said hello.
    func join(_ code: String, _ player: ScriptedPlayer? = nil, after: Int? = nil, head: String? = nil)
        -> ScriptedClient
    {
        let client = connect(code)
        var hello: Fields = ["type": "hello"]
        if let player { hello["token"] = .string(player.token) }
        if let after { hello["after"] = .integer(after) }
        if let head { hello["head"] = .string(head) }
        client.say(hello)
        return client
    }

    /// A connection to the list of rooms.
    func lobby() -> ScriptedClient {
        let client = ScriptedClient(hub: self)
        clients.append(client)
        client.number = witness.opened(room: nil)
        client.connection = shard.lobby?.enter(client)
        settle()
        return client
    }

    func room(_ code: String) -> RoomState {
        guard let room = shard.rooms[code] else {
            report("room \(code) is not awake")
            return RoomState(code: code, games: games)
        }
        return room.state
    }

    func note(_ frame: Frame) { sent.frames.append(frame.bytes) }
}

struct ScriptedPlayer {
    let name: String
    let id: PlayerID
    let token: String
}

struct SentBytes {
    var frames: [[UInt8]] = []
    var http: [[UInt8]] = []
}
