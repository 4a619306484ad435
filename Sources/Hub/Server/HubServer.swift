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

    public init(transport: TransportOptions, dataFolder: String) {
        self.transport = transport
        self.dataFolder = dataFolder
    }
}

/// The running hub: log, projections, shards and their loops, wired together.
public final class HubServer: Sendable {
    private let transport: TransportServer
    private let log: any EventLog
    private let projections: any Projections
    private let alive: AliveNote
    private let counters: [HubCounters]
    /// Nil where it could not be written.
    private let note: PostedNote?
    /// Listeners that are not the operator's.
    private let listenerCount: Int
    private let thinking: ThinkingThreads
    private let logger: Logger

    /// Opens the log, records the outage since the hub last ran, and listens. Nothing is served before `start`.
    /// Throws `EventLogError`, `TransportError`, or what reading the client's files threw.
    public init(_ options: HubOptions, logger: Logger) throws {
        let files = try options.webFolder.map { try StaticFiles(folder: $0) } ?? StaticFiles()
        let log = try SQLiteLog(folder: options.dataFolder)
        let projections = try SQLiteProjections(folder: options.dataFolder)
        let alive = AliveNote(folder: options.dataFolder)
        let (outages, hubVersion) = try Self.recordOutage(since: alive.last, in: log)
        let counters = (0..<options.transport.loops).map { _ in HubCounters() }
        let metrics = Metrics(counters: counters) { log.counters }
        let presence = PresenceCounts()
        let thinking = ThinkingThreads(count: options.transport.loops)
        let token = randomBytes(32).base64URL
        guard let operatorKey = PlayerToken(token).map({ OperatorKey($0) }) else {
            preconditionFailure("32 bytes are a token")
        }
        var transportOptions = options.transport
        transportOptions.plainAddresses = [ListenAddress(host: "127.0.0.1", port: 0)]
        transport = try TransportServer(transportOptions) { context in
            let surroundings = RoomSurroundings(
                log: log, projections: projections, inbox: LoopInbox(context.loops[context.index]),
                random: SystemRandom(), timers: LoopTimers(context), thinking: thinking,
                thoughts: LoopThoughts(context.loops[context.index]), logger: logger, limits: options.limits,
                counters: counters[context.index], presence: presence, now: context.now, outages: outages)
            let shard = Shard(index: context.index, surroundings: surroundings, shards: LoopDirectory(context.loops))
            let api = API(
                shard: shard, files: files, echoPath: options.echoPath, metrics: metrics, operatorKey: operatorKey)
            shard.start(hubVersion: hubVersion)
            return ShardService(context: context, shard: shard, api: api)
        }
        if transport.connectionLimit < options.transport.connectionLimit {
            logger.notice(
                "the system has descriptors for fewer connections than asked for (ulimit -n)",
                metadata: [
                    "connections": "\(transport.connectionLimit)", "asked": "\(options.transport.connectionLimit)",
                ])
        }
        self.thinking = thinking
        self.log = log
        self.projections = projections
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
        alive.start { [counters] in counters.allSatisfy { $0.logIsDown.value == 0 } }
    }

    /// For new connections; those that are open go on with the old ones. Throws `TransportError`.
    public func reloadCertificates() throws { try transport.reloadCertificates() }

    /// Stops accepting, tells the clients, lets what is under way finish, and returns: within a bounded time.
    public func stop() {
        note?.remove()
        transport.shutdown()
        thinking.stop()
        log.close()
        projections.close()
        alive.stop()
    }

    /// All outages, that since `last` included, and the version of the stream `hub`.
    private static func recordOutage(since last: Milliseconds?, in log: any EventLog) throws -> ([Outage], Int) {
        let waiter = Waiter()
        log.load(.hub, after: 0, limit: .max, ticket: 1, answer: waiter)
        let records: [Record] = try waiter.next { message -> Result<[Record], EventLogError>? in
            if case .loaded(_, let result) = message { result } else { nil }
        }.get()
        var outages = records.compactMap { Outage($0) }
        var version = records.last?.version ?? 0
        let now = Milliseconds(Date().timeIntervalSince1970 * 1000)
        if let last, last < now {
            let outage = Outage(from: last, until: now)
            log.append(outage.commit, to: .hub, expecting: version, ticket: 2, answer: waiter)
            let answer: AppendAnswer = waiter.next { message in
                if case .settled(_, let answer) = message { answer } else { nil }
            }
            switch answer {
            case .appended(let appended):
                outages.append(outage)
                version = appended
            case .unavailable(let error): throw error
            case .conflict, .outcomeUnknown:
                throw EventLogError.cannotWrite(reason: "the log could not take the record of the last outage")
            }
        }
        return (outages, version)
    }
}
