import Cryptography
import EventStore
import Foundation
import Games
import Logging
import Synchronization
import Transport

/// How a hub is run.
public struct HubOptions: Sendable {
    public var transport: TransportOptions
    /// Where the log lives; created if need be.
    public var dataFolder: String
    /// The client's files; nil: no page is served.
    public var webFolder: String?
    /// Path of a plain echo endpoint; nil: none.
    public var echoPath: String?
    public var limits = HubLimits()
    /// What can be played here.
    public var games = GameList.all
    /// Whom to trust where the log is over a day ahead of the system's clock; nil: the start is refused.
    public var trustedClock: TrustedClock?

    public init(transport: TransportOptions, dataFolder: String) {
        self.transport = transport
        self.dataFolder = dataFolder
    }
}

/// The running hub: log, read models, shards and their loops, wired together.
public final class HubServer: Sendable {
    private let transport: TransportServer
    private let log: any EventLog
    private let rows: any RowStore
    private let alive: AliveNote
    private let counters: [HubCounters]
    /// Nil where it could not be written.
    private let note: PostedNote?
    /// Listeners that are not the operator's.
    private let listenerCount: Int
    private let computers: ComputerThreads
    private let logger: Logger

    /// Opens the log, records the outage since the hub last ran, and listens. Nothing is served before `start`.
    /// Throws `GameCatalogError`, `EventLogError`, `ClockAheadError`, `TransportError`, or what reading the client's
    /// files threw.
    public init(_ options: HubOptions, logger: Logger) throws {
        let games = try GameCatalog(options.games)
        let files = try options.webFolder.map { try StaticFiles(folder: $0) } ?? StaticFiles()
        DataFolder.closeToOthers(options.dataFolder, logger)
        let log = try SQLiteLog(folder: options.dataFolder)
        let rows = try SQLiteRowStore(folder: options.dataFolder, layout: ReadModels.layout)
        let alive = AliveNote(folder: options.dataFolder)
        let boot = try HubBoot(
            log, lastSignOfLife: alive.last, source: SystemTime(), trusting: options.trustedClock, logger: logger)
        let clock = boot.clock
        // At once: a hub that is killed before its first turn must not ask again.
        if boot.isSetBack { alive.write(clock.now()) }
        let counters = (0..<options.transport.loops).map { _ in HubCounters() }
        let metrics = Metrics(counters: counters, clock: clock) { log.counters }
        let presence = PresenceCounts()
        let addressLimits = AddressLimits(options.limits)
        let computers = ComputerThreads(count: options.transport.loops, games: games)
        let run = randomBytes(8).hex
        let token = randomBytes(32).base64URL
        guard let operatorKey = PlayerToken(token).map({ OperatorKey($0) }) else {
            preconditionFailure("32 bytes are a token")
        }
        var transportOptions = options.transport
        transportOptions.plainAddresses = [ListenAddress(host: "127.0.0.1", port: 0)]
        transport = try TransportServer(transportOptions, clock: clock) { context in
            let loop = context.loops[context.index]
            let surroundings = RoomSurroundings(
                run: run, games: games, log: log,
                readModels: ReadModels(rows) { loop.post(ShardMessage.readModels($0)) },
                inbox: LoopInbox(loop), random: SystemRandom(), timers: LoopTimers(context),
                computers: computers, replies: LoopComputerReplies(loop), logger: logger, limits: options.limits,
                addressLimits: addressLimits, counters: counters[context.index], presence: presence, now: context.now,
                outages: boot.outages)
            let shard = Shard(
                index: context.index, surroundings: surroundings, shards: LoopDirectory(context.loops),
                hubEnd: boot.hubEnd)
            let api = API(
                shard: shard, files: files, echoPath: options.echoPath, metrics: metrics, operatorKey: operatorKey)
            shard.start()
            return ShardService(context: context, shard: shard, api: api)
        }
        if transport.connectionLimit < options.transport.connectionLimit {
            logger.notice(
                "the system has descriptors for fewer connections than asked for (ulimit -n)",
                metadata: [
                    "connections": "\(transport.connectionLimit)", "asked": "\(options.transport.connectionLimit)",
                ])
        }
        self.computers = computers
        self.log = log
        self.rows = rows
        self.alive = alive
        self.counters = counters
        self.logger = logger
        listenerCount = options.transport.addresses.count
        note = Self.post(port: transport.ports[listenerCount], token: token, in: options.dataFolder, logger)
    }

    /// The ports listened on, in the order of the addresses given.
    public var ports: [Int] { Array(transport.ports.prefix(listenerCount)) }

    private static func post(port: Int, token: String, in folder: String, _ logger: Logger) -> PostedNote? {
        do throws(OperatorNote.Fault) {
            return try PostedNote(OperatorNote(port: port, token: token), in: folder)
        } catch {
            // A full disk must not stop the hub: it shows what there is.
            logger.error(
                "the operator's note cannot be written: `flipside forget` will not find this hub",
                metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Throws `TransportError` if the system has no threads or descriptors for it.
    public func start() throws {
        try transport.start()
        alive.start { [counters] in counters.map(\.lastPlayed.value).min() ?? 0 }
    }

    /// For new connections; those that are open go on with the old ones. Throws `TransportError`.
    public func reloadCertificates() throws { try transport.reloadCertificates() }

    /// Stops accepting, tells the clients, lets what is under way finish, and returns: within a bounded time.
    public func stop() {
        note?.remove()
        transport.shutdown()
        computers.stop()
        log.close()
        rows.close()
        alive.stop()
    }
}
