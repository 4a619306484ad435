import Cluster
import EventStore
import Games
import JSON
import Logging
import RoomRules
import Rooms
import Transport
import WebProtocols

/// What a hub has done since it started.
public struct HubFigures: Sendable {
    /// Records that rooms have folded.
    public internal(set) var folded = 0
    /// Messages to other nodes, those of them for all members of a room, and their bytes.
    public internal(set) var linkMessages = 0
    public internal(set) var linkBroadcasts = 0
    public internal(set) var linkBytes = 0

    public init() {}
}

/// A whole hub that a driver runs on one thread, for simulations. It starts as `HubServer` does, but without sockets,
/// threads or a clock. The driver supplies its surroundings, runs its loops' turns, and acts as its connections.
public final class DrivenHub {
    private let boot: HubBoot
    private var loops: [DrivenLoop] = []
    private let host: DrivenNode
    private let directory: DrivenDirectory

    /// Starts like the program: opens the log, and records the outage since the hub last ran. `options.transport` has
    /// the number of loops. Throws the same errors as `HubServer`.
    public init(
        _ options: HubOptions, storage: any HubStorage, time: any TimeSource, random: any RandomSource,
        driver: any HubDriver, logger: Logger
    ) throws {
        boot = try HubBoot(options, storage: storage, time: time, random: random, logger: logger)
        guard let token = PlayerToken(random.bytes(32).base64URL) else {
            preconditionFailure("32 bytes are a token")
        }
        let now = boot.clock.now()
        let computers = DrivenComputers(games: boot.games, driver: driver)
        let host = DrivenNode(driver)
        self.host = host
        let directory = DrivenDirectory(count: options.transport.loops, driver)
        self.directory = directory
        for index in 0..<options.transport.loops {
            let shard = boot.shard(
                on: ShardLoop(
                    index: index, shards: directory,
                    timers: DrivenTimers(index, driver), computers: computers, now: now,
                    post: { directory.post($0, to: index) },
                    cluster: boot.cluster(over: host), host: index == 0 ? host : nil))
            shard.surroundings.outageKept = { [unowned driver] in driver.couldNotPlay($0, on: index) }
            let api = boot.api(of: shard, operatorKey: OperatorKey(token))
            loops.append(DrivenLoop(shard: shard, api: api))
        }
    }

    public var log: any EventLog { boot.log }

    /// The types of all events that its rooms may record.
    public var eventTypes: [String] { boot.games.eventTypes }

    /// Identifies this start.
    public var run: String { boot.run }

    /// The hub's time, in ms since 1970.
    public var now: Int { boot.clock.now() }

    /// The counts of its loops so far.
    public var figures: HubFigures {
        var figures = host.sent
        figures.folded = boot.counters.reduce(0) { $0 + $1.events.value }
        return figures
    }

    public var awakeRooms: Int { boot.counters.reduce(0) { $0 + $1.rooms.value } }

    /// When all rooms could last be played, as in the sign of life; 0 before that.
    public var lastPlayed: Int { boot.lastPlayed }

    /// Starts a turn of a loop, which lasts until `turnEnded`. `steady` is a clock that is never set, in nanoseconds.
    /// `stoodStillSince` is that of `LoopService.turnBegan`. Returns the turn's time, in ms since 1970.
    public func turnBegan(_ loop: Int, steady: Int, stoodStillSince: Int?) -> Int {
        let now = boot.clock.now()
        loops[loop].shard.turnBegan(
            LoopTurn(now: now, began: steady, lastEnded: steady), stoodStillSince: stoodStillSince)
        return now
    }

    /// Ends the turn, after which nothing more is sent.
    public func turnEnded(_ loop: Int) { loops[loop].shard.turnEnded() }

    /// Delivers a letter that was posted to this loop.
    public func letterArrived(_ letter: HubLetter, on loop: Int) { loops[loop].shard.handle(letter.message) }

    /// Fires a timer that the driver was asked to arm.
    public func fired(_ timer: UInt64, on loop: Int) { loops[loop].shard.fired(timer) }

    /// Delivers a whole request, which `writer` answers once.
    public func requestArrived(_ request: HTTPRequest, on loop: Int, _ writer: any ResponseWriter) {
        loops[loop].api.handle(request, writer)
    }

    /// A WebSocket was upgraded to this loop; nil if it was closed at once.
    public func opened(
        _ channel: any SocketChannel, for purpose: WebSocketPurpose, on loop: Int
    ) -> (any HubConnection)? {
        loops[loop].shard.enter(channel, for: purpose)
    }

    /// Delivers a message from another node. Returns false if it is not one, so that the link must end.
    public func messageArrived(_ message: [UInt8], fromNode node: String) -> Bool {
        guard let message = try? NodeMessage(message) else { return false }
        directory.deliver(message, from: NodeName(node))
        return true
    }

    /// A link to another node's run was made.
    public func linkIsBack(toNode node: String, run: String) {
        directory.postToAll(.linkIsBack(NodeName(node)))
        sees(LinkSight(run: run, isLinked: true, since: now, wasLinked: true), of: node)
    }

    /// That link was lost.
    public func linkIsDown(toNode node: String, run: String) {
        directory.postToAll(.linkIsDown(NodeName(node)))
        sees(LinkSight(run: run, since: now, wasLinked: true), of: node)
    }

    /// The port of a run that was linked to this one has refused connections for long enough to be closed.
    public func portRefuses(ofNode node: String, run: String) { loops.first?.shard.keeper?.nobodyListens(at: run) }

    private func sees(_ sight: LinkSight, of node: String) {
        loops.first?.shard.keeper?.sees(sight, of: NodeName(node))
    }

    /// Gives up everything that this node serves. `HubDriver.nodeEnded` follows.
    public func leave() { loops.first?.shard.keeper?.leave() }

    /// The hub is about to stop, and notifies clients.
    public func stopping(_ loop: Int) { loops[loop].shard.handle(.draining) }

    /// Breaks the reference cycles that a running hub has. The hub must not be used after that.
    public func discard() {
        for loop in loops { loop.shard.discard() }
        loops = []
    }
}

/// The requests of a driven hub to its driver.
public protocol HubDriver: AnyObject {
    /// Posts a letter to a loop, from another loop, the log, the read models or a computer. The driver passes letters
    /// to `DrivenHub.received` in the same order.
    func post(_ letter: HubLetter, to loop: Int)
    /// Arms a timer on its loop, which fires once at `time` (ms since 1970) or soon after. Arming it again moves it.
    func arm(_ timer: UInt64, at time: Int, on loop: Int)
    func cancel(_ timer: UInt64, on loop: Int)
    /// Runs a computer player's work, in the order of these calls.
    func think(_ work: @escaping () -> Void)

    // Only for a hub that shares its log.
    /// Sends a message to another node; dropped without a link to it.
    func send(_ message: [UInt8], toNode node: String)
    /// The node serves rooms from now on.
    func nodeJoined()
    /// The other nodes that serve, by name and run.
    func link(to others: [(name: String, run: String)])
    /// The node has left or was declared lost, so its process must end.
    func nodeEnded()
    /// A loop's rooms could not be played during this time, in ms since 1970. The hub knows, but no record says so.
    func couldNotPlay(from: Int, until: Int, on loop: Int)
}

extension HubDriver {
    fileprivate func couldNotPlay(_ outage: Outage, on loop: Int) {
        couldNotPlay(from: outage.from, until: outage.until, on: loop)
    }
}

private struct DrivenLoop {
    let shard: Shard
    let api: API
}

extension ComputerTask {
    fileprivate var takesThought: Bool { if case .move = self { true } else { false } }
}

private final class DrivenNode: NodeHost, NodeLinks {
    private unowned let driver: any HubDriver
    private(set) var sent = HubFigures()

    init(_ driver: any HubDriver) { self.driver = driver }

    func send(_ message: NodeMessage, to node: NodeName) {
        let bytes = message.bytes
        (sent.linkMessages, sent.linkBytes) = (sent.linkMessages + 1, sent.linkBytes + bytes.count)
        if case .relay(_, .broadcast) = message { sent.linkBroadcasts += 1 }
        driver.send(bytes, toNode: node.text)
    }
    var operatorDoor: Fields? { nil }
    var figures: Fields? { nil }
    func nodeServes(_ serves: Bool) { if serves { driver.nodeJoined() } }
    func link(to others: [NodeRun]) { driver.link(to: others.map { ($0.node.text, $0.run) }) }
    func nodeEnded() { driver.nodeEnded() }
}

// Only Sendable for the compiler, since a driven hub and its driver share one thread.
private final class DrivenDirectory: ShardDirectory, @unchecked Sendable {
    let count: Int
    private let driver: any HubDriver

    init(count: Int, _ driver: any HubDriver) { (self.count, self.driver) = (count, driver) }

    func post(_ message: ShardMessage, to shard: Int) { driver.post(HubLetter(message: message), to: shard) }
}

private final class DrivenTimers: ShardTimers {
    private let loop: Int
    private let driver: any HubDriver

    init(_ loop: Int, _ driver: any HubDriver) { (self.loop, self.driver) = (loop, driver) }

    func arm(_ token: UInt64, at time: Milliseconds) { driver.arm(token, at: time, on: loop) }
    func cancel(_ token: UInt64) { driver.cancel(token, on: loop) }
}

// Only Sendable for the compiler, since a driven hub and its driver share one thread.
private final class DrivenComputers: ComputerRunner, @unchecked Sendable {
    private var table: ComputerTable
    private let driver: any HubDriver
    /// Work that the driver has not done yet.
    private var waiting = 0

    init(games: GameCatalog, driver: any HubDriver) { (table, self.driver) = (ComputerTable(games: games), driver) }

    /// The driver runs work that takes thought, and everything posted after it waits. The rest is done at once.
    func post(_ task: ComputerTask, for computer: ComputerID) {
        if waiting == 0, !task.takesThought { return table.run(task, for: computer) }
        waiting += 1
        driver.think { [self] in
            waiting -= 1
            table.run(task, for: computer)
        }
    }
}
