import Cluster
import Cryptography
import EventStore
import Foundation
import Games
import Logging
import Rooms
import Threads
import Transport
import WebProtocols

public struct HubOptions: Sendable {
    public var transport: TransportOptions
    /// The place of the log, which is created if need be.
    public var log: LogAddress
    /// The client's files; nil if no page is served.
    public var webFolder: String?
    /// The start of links in previews; nil to use the address of each request.
    public var publicURL: WebOrigin?
    /// The sites whose pages may open WebSockets.
    public var origins = AllowedOrigins.sameHost
    /// The hub's host names, in lower case and without ports; empty if any is allowed.
    public var hostNames: [String] = []
    /// Path of a plain echo endpoint; nil if there is none.
    public var echoPath: String?
    public var limits = HubLimits()
    /// The node's name and links, if several share a log.
    public var node = NodeOptions()
    /// The games that can be played.
    public var games = GameList.all
    /// Types of rooms' own events that are neither read nor written, as in a release before them. For simulations of
    /// nodes of two releases.
    public var eventsLeftOut: Set<String> = []
    /// Decides if the log is over a day ahead of the system's clock; nil to refuse the start.
    public var trustedClock: TrustedClock?
    /// Levels of parts that log more or less than the rest.
    public var logLevels: [LogPart: Logger.Level] = [:]
    /// Whether each request is logged.
    public var logsAccess = false
    /// How many lines of the log have been dropped so far.
    public var droppedLines: @Sendable () -> Int = { 0 }
    /// When the first certificate expires, in seconds since 1970; 0 without certificates.
    var certificateExpiry: @Sendable () -> Int = { 0 }

    public init(transport: TransportOptions, log: LogAddress = .sqlite(folder: "")) {
        self.transport = transport
        self.log = log
    }
}

/// A running hub with a log, the system's clock and sockets, and a thread for each loop. With a shared log it is a
/// node, which joins the others after its start and gives its rooms up before it stops.
public final class HubServer: Sendable {
    /// How long a node may take to give up its rooms and record that it has left.
    private static let leavingTime = Duration.seconds(10)
    /// How long closing the log may take at the end. Everything that was acknowledged is on the disk already.
    static let closeTime = Duration.seconds(3)

    private let boot: HubBoot
    private let loggers: HubLoggers
    private let transport: TransportServer
    /// Returns memory to the system after a peak: clients that asked for much and did not read it, ten thousand clients
    /// that came and left, or a long log that was read.
    private let heapTrimmer = PeriodicThread("heap", every: .seconds(5))
    /// Nil if the log is not a folder, or its note could not be written.
    private let note: PostedNote?
    private let signOfLife: SignOfLife?
    /// Nil unless the log is shared.
    private let life: NodeLife?
    private let computers: ComputerThreads
    private let certificateExpiry: CertificateExpiry

    /// Opens the log, records the outage since the hub last ran, and listens. Nothing is served before `start`. Throws
    /// `GameCatalogError`, `EventLogError`, `ClockAheadError`, `TransportError`, `TLSError`, `ThreadError`, or an error
    /// of reading the client's files.
    public convenience init(_ options: HubOptions, logger: Logger) throws {
        try DescriptorLimit.check(loops: options.transport.loops)
        switch options.log {
        case .sqlite(let path):
            let hubLogger = HubLoggers(logger, levels: options.logLevels).hub
            try self.init(options, storage: DataFolder(path: path, logger: hubLogger), logger: logger)
        case .postgreSQL(let address):
            if let mode = options.log.weakMode {
                HubLoggers(logger, levels: options.logLevels).write(.databaseUnproven, ["sslmode": "\(mode)"])
            }
            try self.init(options, storage: DatabaseStorage(address: address), logger: logger)
        }
    }

    init(_ options: HubOptions, storage: any HubStorage, logger: Logger) throws {
        let loggers = HubLoggers(logger, levels: options.logLevels)
        let (random, expiry) = (SystemRandom(), CertificateExpiry())
        var options = options
        options.certificateExpiry = { expiry.seconds }
        certificateExpiry = expiry
        let boot = try HubBoot(options, storage: storage, time: SystemTime(), random: random, logger: logger)
        let token = random.bytes(32).base64URL
        guard let operatorKey = PlayerToken(token).map({ OperatorKey($0) }) else {
            preconditionFailure("32 bytes are a token")
        }
        let computers: ComputerThreads
        do { computers = try ComputerThreads(count: options.transport.loops, games: boot.games) } catch {
            boot.close()
            throw error
        }
        var transportOptions = options.transport
        transportOptions.operatorAddress = ListenAddress(host: "127.0.0.1", port: 0)
        let life = boot.isNode ? NodeLife() : nil
        let linkSettings = try boot.linkSettings()
        transport = try TransportServer(transportOptions, clock: boot.clock) { context in
            let links = linkSettings.map {
                LoopLinks(on: context, $0, counters: boot.counters[context.index], loggers: loggers)
            }
            let desk =
                context.index == 0
                ? life.map { NodeDesk(context.loops, links, $0, boot.metrics(of: context.loops)) } : nil
            let shard = boot.shard(
                on: ShardLoop(context, computers: computers, cluster: boot.cluster(over: links), host: desk))
            desk?.keeper = shard.keeper
            let api = boot.api(of: shard, loops: context.loops, operatorKey: operatorKey)
            // A node serves after it has joined.
            api.isServing = life == nil
            return ShardService(context: context, shard: shard, api: api, links: links, desk: desk)
        }
        for error in transport.missingAddresses {
            loggers.write(.addressNotHere, ["reason": "\(error.sentence)"])
        }
        if transport.connectionLimit < options.transport.connectionLimit {
            loggers.write(
                .fewDescriptors,
                [
                    "connections": "\(transport.connectionLimit)", "asked": "\(options.transport.connectionLimit)",
                ])
        }
        (self.boot, self.loggers, self.computers, self.life) = (boot, loggers, computers, life)
        guard let operatorPort = transport.operatorPort else { preconditionFailure("it was asked for") }
        let ownNote = OperatorNote(port: operatorPort, token: token)
        life?.listens(for: ownNote)
        if let folder = storage as? DataFolder {
            signOfLife = SignOfLife(in: folder)
            note = Self.post(ownNote, in: folder.path, loggers.hub)
        } else {
            (signOfLife, note) = (nil, nil)
        }
        logCertificateNotes()
    }

    /// The addresses listened on, with their ports, in the given order.
    public var addresses: [ListenAddress] { transport.addresses }

    /// The ports of `addresses`.
    public var ports: [Int] { transport.ports }

    /// The ports that redirect, in the given order.
    public var redirectPorts: [Int] { transport.redirectPorts }

    /// The ports for other nodes, in the given order.
    public var nodePorts: [Int] { transport.nodePorts }

    private static func post(_ note: OperatorNote, in folder: String, _ logger: Logger) -> PostedNote? {
        do throws(OperatorNoteError) {
            return try PostedNote(note, in: folder)
        } catch {
            // A full disk must not stop the hub, which shows what it has.
            logger.write(.operatorNoteNotWritten, ["reason": "\(error)"])
            return nil
        }
    }

    /// Throws `TransportError` or `ThreadError` if the system lacks threads or descriptors.
    ///
    /// - Parameter whenLost: called at most once, on a thread of the hub, if other nodes have declared this one lost.
    ///   It then serves nothing, and must be stopped and started again.
    public func start(whenLost: @escaping @Sendable () -> Void = {}) throws {
        life?.watchForLoss(whenLost: whenLost)
        do {
            try transport.start()
            var heap = HeapTrim()
            try heapTrimmer.start { heap.look() }
            try signOfLife?.start(lastPlayed: { [boot] in boot.lastPlayed }, tally: { [boot] in boot.log.tally })
        } catch {
            // A process that ends while some of its loops run would take away what they use.
            stopWithoutLeaving()
            throw error
        }
    }

    /// Whether other nodes have declared this one lost.
    public var isLost: Bool { life?.isLost ?? false }

    /// Applies to new connections. Open ones keep the old certificates. Throws `TransportError`.
    public func reloadCertificates() throws {
        try transport.reloadCertificates()
        logCertificateNotes()
    }

    private func logCertificateNotes() {
        certificateExpiry.set(transport.certificateExpiry ?? 0)
        for note in transport.certificateNotes {
            loggers.transport.warning("\(note.message)", metadata: ["reason": "\(note.reason)"])
        }
    }

    /// Gives up its rooms to other nodes if there are any, stops accepting, notifies the clients, lets running work
    /// finish, and returns within a bounded time. Returns false if the log could not be closed in that time, because
    /// the disk does not answer. As after a kill, writes without an acknowledgement may be lost or not.
    @discardableResult public func stop() -> Bool {
        if let life, life.beginToLeave() {
            transport.loops[0].post(NodePost.leave)
            life.waitForEnd(Self.leavingTime)
        }
        return stopWithoutLeaving()
    }

    /// Stops without notifying other nodes, as if it had died.
    @discardableResult func stopWithoutLeaving() -> Bool {
        note?.remove()
        // A node's clients find another node.
        transport.shutdown(refusesFirst: life != nil)
        computers.stop()
        heapTrimmer.stop()
        return close()
    }

    /// Closes what may have to wait for the disk, on a thread that is abandoned if it takes too long.
    private func close() -> Bool {
        let closed = Latch()
        let close: @Sendable () -> Void = { [boot, signOfLife] in
            boot.close()
            signOfLife?.stop()
            closed.open()
        }
        do throws(ThreadError) { _ = try SystemThread("hub-close", close) } catch {
            // Without a thread the only way is to wait.
            close()
        }
        guard !closed.wait(Self.closeTime) else { return true }
        loggers.write(.diskDoesNotAnswer)
        return false
    }
}
