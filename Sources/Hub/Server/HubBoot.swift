import Cluster
import Cryptography
import EventStore
import Games
import Logging
import RoomRules
import Rooms
import Transport

/// A hub that has started but serves no one yet: its log and read models are open, its clock runs, and the outage since
/// it last ran is recorded. It is made from values, so that a test's start is the same as the program's. The owner of
/// event loops asks for a shard for each, and gives it connections.
struct HubBoot: Sendable {
    let log: any EventLog
    let rows: any RowStore
    let games: GameCatalog
    /// Identifies this start of the process.
    let run: String
    /// By the shard's index.
    let counters: [HubCounters]
    private let options: HubOptions
    private let files: StaticFiles
    private let start: ClockStart
    private let sharing: NodeStart?
    private let random: any RandomSource
    private let presence = PresenceCounts()
    private let addressLimits: AddressLimits
    private let loggers: HubLoggers

    /// Throws `GameCatalogError`, `EventLogError`, `ClockAheadError`, or an error of reading the client's files.
    ///
    /// - Parameter addressLimits: shared with other hubs that count too.
    init(
        _ options: HubOptions, storage: any HubStorage, time: any TimeSource, random: any RandomSource,
        addressLimits: AddressLimits? = nil, logger: Logger
    ) throws {
        (self.options, self.random) = (options, random)
        loggers = HubLoggers(logger, levels: options.logLevels)
        games = try GameCatalog(options.games, leavingOut: options.eventsLeftOut)
        files = try options.webFolder.map { try StaticFiles(folder: $0) } ?? StaticFiles()
        if let refusal = files.refusal {
            loggers.write(.pageInManyFiles, ["reason": "\(refusal)"])
        }
        run = random.bytes(8).hex
        log = try storage.openLog(for: run)
        rows = try storage.openRows()
        sharing = try storage.openLeases(for: run).map { [run] leases in
            try NodeStart(leases, options.node, run: run, time)
        }
        start = try ClockStart(
            log, lastSignOfLife: storage.lastSignOfLife, source: sharing?.time ?? time,
            trusting: options.trustedClock, sharing: sharing, run: run, logger: loggers.hub)
        // Recorded at once, since a hub that is killed before its first turn must not ask the operator again.
        if start.isSetBack { storage.recordSignOfLife(at: start.clock.now()) }
        counters = (0..<options.transport.loops).map { [games] _ in
            HubCounters(commands: RoomCommand.names(with: games.games))
        }
        self.addressLimits = addressLimits ?? AddressLimits(options.limits)
    }

    var clock: HubClock { start.clock }

    /// Whether other nodes may serve rooms of this log.
    var isNode: Bool { sharing != nil }

    /// The settings of this node's links; nil if it serves alone. Throws `TLSError`.
    func linkSettings() throws(TLSError) -> LinkSettings? {
        guard let sharing, let links = options.node.links else { return nil }
        var settings = LinkSettings(name: sharing.node.node, run: run, key: links.key, eventTypes: games.eventTypes)
        if links.address.isTLS { settings.tls = try TLSContext(trusting: links.trust) }
        return settings
    }

    func close() {
        log.close()
        rows.close()
        sharing?.leases.close()
    }

    /// When all rooms could last be played; 0 before that.
    var lastPlayed: Milliseconds { counters.map(\.lastPlayed.value).min() ?? 0 }

    /// Makes the shard of `loop`, which listens to the log from now on. Called once for each loop.
    func shard(on loop: ShardLoop) -> Shard {
        let post = loop.post
        let inbox = ShardInbox(post: post)
        let readModels = ReadModels(rows) { post(.readModels($0)) }
        let surroundings = RoomSurroundings(
            run: run, games: games, log: log, rows: readModels, inbox: inbox, random: random, timers: loop.timers,
            computers: loop.computers, replies: inbox, loggers: loggers, limits: options.limits,
            addressLimits: addressLimits, counters: counters[loop.index], presence: presence, now: loop.now,
            history: start.history, isShared: loop.cluster != nil)
        let shard = Shard(
            index: loop.index, surroundings: surroundings, readModels: readModels, cluster: loop.cluster,
            shards: loop.shards, hubEnd: start.hubEnd)
        if let sharing {
            shard.outages.awaitLease()
            shard.node?.keeper = loop.host.map { host in
                NodeKeeper(
                    sharing.node, surroundings, loops: loop.shards, leases: sharing.leases, time: sharing.time,
                    host: host, hubEnd: start.hubEnd,
                    lastTurned: { [counters] in counters.map(\.lastTurned.value).min() ?? 0 },
                    lastPlayed: { [self] in lastPlayed }, post: { post(.node($0)) })
            }
        }
        shard.start()
        return shard
    }

    /// The cluster for one loop of this node; nil if the log is not shared.
    func cluster(over links: (any NodeLinks)?) -> ServingNodes? {
        guard let node = sharing?.node.node, let log = log as? any SharedEventLog else { return nil }
        return ServingNodes(node: node, log: log, nodes: start.history.roll.nodes, links: links)
    }

    /// The API of a shard, on its loop. `loops` are those of all shards, empty in a script.
    func api(of shard: Shard, loops: [LoopHandle] = [], operatorKey: OperatorKey) -> API {
        API(shard: shard, files: files, options: options, metrics: metrics(of: loops), operatorKey: operatorKey)
    }

    func metrics(of loops: [LoopHandle]) -> Metrics {
        Metrics(
            counters: counters, loops: loops, clock: clock, droppedLines: options.droppedLines,
            certificateExpiry: options.certificateExpiry
        ) { [log] in log.counters }
    }
}

/// What an event loop gives its shard.
struct ShardLoop {
    let index: Int
    let shards: any ShardDirectory
    let timers: any ShardTimers
    let computers: any ComputerRunner
    /// The loop's time, in ms since 1970.
    let now: Milliseconds
    /// Posts a message to the shard, from any thread.
    let post: @Sendable (ShardMessage) -> Void
    /// Nil without other nodes.
    var cluster: ServingNodes?
    /// Runs the node; nil without other nodes, and on all loops but the first.
    var host: (any NodeHost)?
}
