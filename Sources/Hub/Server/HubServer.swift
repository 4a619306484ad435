import Cryptography
import Games
import Logging
import Transport

/// How a hub is run.
public struct HubOptions: Sendable {
    public var transport: TransportOptions
    /// Where the log lives; created if need be.
    public var dataFolder: String
    /// The client's files; nil: no page is served.
    public var webFolder: String?
    /// What links of previews begin with; nil: with what each request was made to.
    public var publicURL: WebOrigin?
    /// Whose pages may open WebSockets.
    public var origins = AllowedOrigins.sameHost
    /// The names that the hub answers to, in lower case and without ports; empty: to any.
    public var hostNames: [String] = []
    /// Path of a plain echo endpoint; nil: none.
    public var echoPath: String?
    public var limits = HubLimits()
    /// How this node is called, where several share a log.
    public var node = NodeOptions()
    /// What can be played here.
    public var games = GameList.all
    /// Whom to trust where the log is over a day ahead of the system's clock; nil: the start is refused.
    public var trustedClock: TrustedClock?
    /// Of parts that log more or less than the rest.
    public var logLevels: [LogPart: Logger.Level] = [:]
    /// Whether each request has a line in the log.
    public var logsAccess = false

    public init(transport: TransportOptions, dataFolder: String) {
        self.transport = transport
        self.dataFolder = dataFolder
    }
}

/// The running hub: on a data folder, the system's clock and sockets, a thread a loop.
public final class HubServer: Sendable {
    private let boot: HubBoot
    private let loggers: HubLoggers
    private let transport: TransportServer
    private let signOfLife: SignOfLife
    private let heap = HeapReturn()
    /// Nil where it could not be written.
    private let note: PostedNote?
    /// Listeners that are not the operator's.
    private let listenerCount: Int
    private let computers: ComputerThreads

    /// Opens the log, records the outage since the hub last ran, and listens. Nothing is served before `start`.
    /// Throws `GameCatalogError`, `EventLogError`, `ClockAheadError`, `TransportError`, `ThreadError`, or what reading
    /// the client's files threw.
    public init(_ options: HubOptions, logger: Logger) throws {
        let loggers = HubLoggers(logger, levels: options.logLevels)
        let folder = DataFolder(path: options.dataFolder, logger: loggers.hub)
        let random = SystemRandom()
        let boot = try HubBoot(options, storage: folder, time: SystemTime(), random: random, logger: logger)
        let token = random.bytes(32).base64URL
        guard let operatorKey = PlayerToken(token).map({ OperatorKey($0) }) else {
            preconditionFailure("32 bytes are a token")
        }
        let computers = try ComputerThreads(count: options.transport.loops, games: boot.games)
        var transportOptions = options.transport
        transportOptions.plainAddresses = [ListenAddress(host: "127.0.0.1", port: 0)]
        transport = try TransportServer(transportOptions, clock: boot.clock) { context in
            let shard = boot.shard(on: ShardLoop(context, computers: computers))
            let api = boot.api(of: shard, loops: context.loops, operatorKey: operatorKey)
            return ShardService(context: context, shard: shard, api: api)
        }
        if transport.connectionLimit < options.transport.connectionLimit {
            loggers.transport.notice(
                "the system has descriptors for fewer connections than asked for (ulimit -n)",
                metadata: [
                    "connections": "\(transport.connectionLimit)", "asked": "\(options.transport.connectionLimit)",
                ])
        }
        self.boot = boot
        self.loggers = loggers
        self.computers = computers
        signOfLife = SignOfLife(in: folder)
        listenerCount = options.transport.addresses.count
        note = Self.post(port: transport.ports[listenerCount], token: token, in: options.dataFolder, loggers.hub)
        logCertificateNotes()
    }

    /// The ports listened on, in the order of the addresses given.
    public var ports: [Int] { Array(transport.ports.prefix(listenerCount)) }

    /// Those that redirect, in the order given.
    public var redirectPorts: [Int] { Array(transport.ports.dropFirst(listenerCount + 1)) }

    private static func post(port: Int, token: String, in folder: String, _ logger: Logger) -> PostedNote? {
        do throws(OperatorNoteError) {
            return try PostedNote(OperatorNote(port: port, token: token), in: folder)
        } catch {
            // A full disk must not stop the hub: it shows what there is.
            logger.error(
                "the operator's note cannot be written: `flipside forget` will not find this hub",
                metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Throws `TransportError` or `ThreadError` if the system has no threads or descriptors for it.
    public func start() throws {
        try transport.start()
        try heap.start()
        try signOfLife.start { [boot] in boot.lastPlayed }
    }

    /// For new connections; those that are open go on with the old ones. Throws `TransportError`.
    public func reloadCertificates() throws {
        try transport.reloadCertificates()
        logCertificateNotes()
    }

    private func logCertificateNotes() {
        for note in transport.certificateNotes {
            loggers.transport.warning("an OCSP response is not stapled", metadata: ["reason": "\(note)"])
        }
    }

    /// Stops accepting, tells the clients, lets what is under way finish, and returns: within a bounded time.
    public func stop() {
        note?.remove()
        transport.shutdown()
        computers.stop()
        boot.log.close()
        boot.rows.close()
        signOfLife.stop()
        heap.stop()
    }
}
