import Cryptography
import Glibc
import Synchronization
import Threads

struct SharedState: Sendable {
    let options: TransportOptions
    let handles: [LoopHandle]
    /// Nil if all connections are plain.
    let tls: TLSServer?
    /// The same for the listeners of nodes.
    let nodeTLS: TLSServer?
    let clock: any ServiceClock
    let makeService: @Sendable (LoopContext) -> any LoopService
    let admission: Admission
    /// For the listeners of nodes and operators.
    let apartAdmission = Admission(limit: TransportOptions.apartConnectionLimit)
}

struct LoopPart: Sendable {
    let index: Int
    /// Empty for all loops but the one that accepts.
    let listeners: [Listener]
}

/// Listeners and event loops, a thread each. Serves connections until it is shut down.
public final class TransportServer: Sendable {
    private let shared: SharedState
    private let listeners: [Listener]
    /// Those of `TransportOptions.optionalAddresses` that this machine lacks, with the reason.
    public let missingAddresses: [TransportError]
    private let executors: [LoopExecutor]
    /// Loops whose threads have been started.
    private let startedCount = Mutex(0)

    /// Reads the certificates, binds and listens; nothing is accepted before `start`. `makeService` is called once for
    /// each loop, on its thread.
    public init(
        _ options: TransportOptions, clock: any ServiceClock,
        makeService: @escaping @Sendable (LoopContext) -> any LoopService
    ) throws(TransportError) {
        precondition(options.loops >= 1, "a server needs a loop")
        var options = options
        // Refused connections that are told so need descriptors too, as do those of nodes and operators.
        let hasOthers = !options.nodeAddresses.isEmpty || options.operatorAddress != nil
        let others = TransportOptions.refusalLimit + (hasOthers ? TransportOptions.apartConnectionLimit : 0)
        let fitting = DescriptorLimit.fit(connections: options.connectionLimit + others, loops: options.loops)
        options.connectionLimit = max(1, min(options.connectionLimit, fitting - others))
        let tls = try Self.tls(options.tls, at: clock.now())
        let nodeTLS = try Self.tls(options.nodeTLS, at: clock.now())
        var listeners: [Listener] = []
        var missing: [TransportError] = []
        for address in options.addresses {
            do throws(TransportError) { listeners.append(try Listener(address, isTLS: tls != nil)) } catch {
                guard options.optionalAddresses.contains(address), error.isOfMissingAddress else { throw error }
                missing.append(error)
            }
        }
        missingAddresses = missing
        if let first = listeners.first {
            let door = Peer.Door.redirect(toPort: UInt16(first.address.port))
            for address in options.redirectAddresses {
                listeners.append(try Listener(address, isTLS: false, door: door))
            }
        }
        for address in options.nodeAddresses {
            listeners.append(try Listener(address, isTLS: nodeTLS != nil, door: .nodes))
        }
        if let address = options.operatorAddress {
            listeners.append(try Listener(address, isTLS: false, door: .operators))
        }
        self.listeners = listeners
        var executors: [LoopExecutor] = []
        for _ in 0..<options.loops { executors.append(LoopExecutor(inbox: try Inbox())) }
        self.executors = executors
        let handles = executors.enumerated().map {
            LoopHandle(index: $0.offset, counters: LoopCounters(), inbox: $0.element.inbox)
        }
        shared = SharedState(
            options: options, handles: handles, tls: tls, nodeTLS: nodeTLS, clock: clock, makeService: makeService,
            admission: Admission(options))
    }

    private static func tls(_ options: TLSOptions?, at now: Int) throws(TransportError) -> TLSServer? {
        guard let options else { return nil }
        do throws(TLSError) { return try TLSServer(options, at: now) } catch { throw .tls(error) }
    }

    /// The addresses for clients with their ports, in the given order.
    public var addresses: [ListenAddress] { listeners.filter { $0.door == .clients }.map(\.address) }
    /// The ports of `addresses`.
    public var ports: [Int] { ports { $0 == .clients } }
    /// The ports that redirect, in the order of their addresses.
    public var redirectPorts: [Int] { ports { if case .redirect = $0 { true } else { false } } }
    /// The ports for other nodes, in the order of their addresses.
    public var nodePorts: [Int] { ports { $0 == .nodes } }
    /// The operators' port; nil if there is none.
    public var operatorPort: Int? { ports { $0 == .operators }.first }

    private func ports(_ isMeant: (Peer.Door) -> Bool) -> [Int] {
        listeners.filter { isMeant($0.door) }.map(\.address.port)
    }

    /// Connections that are served at a time: as many as configured, or as the system has descriptors for.
    public var connectionLimit: Int { shared.options.connectionLimit }

    /// All loops, by index.
    public var loops: [LoopHandle] { shared.handles }

    /// Starts the loops' threads and returns once all of them run. If it throws because a loop cannot be made, the
    /// server is unusable.
    public func start() throws(TransportError) {
        for (index, executor) in executors.enumerated() {
            let ready = try Latch()
            let loop = EventLoop(executor)
            let part = LoopPart(index: index, listeners: index == 0 ? listeners : [])
            do throws(ThreadError) {
                // Its inbox tells when it ends.
                _ = try SystemThread("loop-\(index)") { [shared] in loop.occupyThread(part, shared, ready: ready) }
            } catch { throw .noThread(error) }
            startedCount.withLock { $0 = index + 1 }
            if let error = ready.wait() { throw error }
        }
    }

    /// Reads all certificates and keys again, for new connections. Throws and changes nothing if one is bad.
    public func reloadCertificates() throws(TransportError) {
        do throws(TLSError) {
            let now = shared.clock.now()
            let (new, newOfNodes) = (try shared.tls?.reread(at: now), try shared.nodeTLS?.reread(at: now))
            if let new { shared.tls?.use(new) }
            if let newOfNodes { shared.nodeTLS?.use(newOfNodes) }
        } catch { throw .tls(error) }
    }

    /// Problems with the certificates and keys, as last read, that keep no client out.
    public var certificateNotes: [TLSNote] { (shared.tls?.notes ?? []) + (shared.nodeTLS?.notes ?? []) }

    /// When the first of all certificates expires, in seconds since 1970; nil if there is none.
    public var certificateExpiry: Int? { [shared.tls?.expiry, shared.nodeTLS?.expiry].compactMap { $0 }.min() }

    /// Closes WebSockets with 1012, sends what waits, and returns when all loops have ended, a little after
    /// `shutdownTime` at most. Calling it twice does no harm.
    ///
    /// - Parameter refusesFirst: refuses new connections from the start, so that a balancer tries another server.
    ///   Otherwise they wait in the system's queue until the end, which a peer that does not close can delay. Clients
    ///   then reach the next server on this port at their first or second attempt.
    public func shutdown(refusesFirst: Bool = false) {
        if refusesFirst { refuseAll() }
        let started = executors.prefix(startedCount.withLock { $0 })
        for executor in started { executor.inbox.stop() }
        for executor in started { executor.inbox.waitForEnd() }
        refuseAll()
    }

    private func refuseAll() { for listener in listeners { listener.refuseAll() } }
}
