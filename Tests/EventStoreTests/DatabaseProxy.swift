import Foundation
import Synchronization

@testable import EventStore

/// Connects a log to its server through its own socket, and loses bytes as ordered.
final class DatabaseProxy: Sendable {
    private let relay: Relay

    init(to server: PostgreSQLServer) throws { relay = try Relay(to: server) }

    deinit { relay.end() }

    /// A log at `place`, through the proxy.
    func open(
        _ place: Place, for run: String? = nil, _ change: (inout PostgreSQLLog.Options) -> Void = { _ in }
    ) throws -> PostgreSQLLog {
        var options = PostgreSQLLog.Options(schema: place.schema)
        change(&options)
        return try PostgreSQLLog(address: address, run: run, options: options)
    }

    var address: String { relay.address }

    /// From now on the log's requests do not arrive.
    func loseRequests() { relay.state.withLock { $0.requests = .lost } }

    /// From now on the server's answers do not arrive.
    func loseAnswers() { relay.state.withLock { $0.answers = .lost } }

    /// Ends the session that next sends a request for this statement, before the request arrives. The first `count` of
    /// such requests do arrive.
    func endSession(at statement: String, after count: Int = 0) {
        relay.state.withLock { $0.ending = (statement, count) }
    }

    /// Whether anything was lost since the last `drop`.
    var hasLost: Bool { relay.state.withLock { $0.hasLost } }

    /// Connections accepted so far.
    var taken: Int { relay.state.withLock { $0.taken } }

    /// Ends all connections. Later ones work normally, or are refused.
    func drop(takingConnections: Bool = true) { relay.drop(takingConnections: takingConnections) }

    func takeConnections() { relay.state.withLock { $0.takesConnections = true } }
}

/// The state that the proxy shares with its threads.
private final class Relay: Sendable {
    /// What happens to arriving bytes.
    enum Fate: Sendable { case passed, lost, ended }

    struct State {
        var requests = Fate.passed
        var answers = Fate.passed
        var ending: (statement: String, count: Int)?
        var takesConnections = true
        var hasLost = false
        var taken = 0
        var sockets: [Int32] = []

        mutating func fate(ofRequest bytes: ArraySlice<UInt8>) -> Fate {
            // The message Bind names a portal, which has no name, and then the statement.
            guard let (statement, count) = ending,
                String(decoding: bytes, as: UTF8.self).contains("\0\(statement)\0")
            else { return requests }
            ending = count > 0 ? (statement, count - 1) : nil
            return count > 0 ? requests : .ended
        }
    }

    let state = Mutex(State())
    private let listener: Int32
    private let server: String
    private let folder: String

    init(to server: PostgreSQLServer) throws {
        self.server = server.folder + "/.s.PGSQL.5432"
        folder = "/tmp/flipside-pg-proxy-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let path = folder + "/.s.PGSQL.5432"
        guard Relay.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL)
        }
        Thread.detachNewThread { [self] in accept() }
    }

    var address: String { "postgresql://flipside@/postgres?host=\(folder)" }

    func drop(takingConnections: Bool) {
        state.withLock { state in
            // The copying threads close them.
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            state.sockets = []
            (state.requests, state.answers, state.hasLost) = (.passed, .passed, false)
            state.takesConnections = takingConnections
        }
    }

    /// Ends the proxy, which stops listening.
    func end() {
        drop(takingConnections: false)
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)  // Only a socket in /tmp would stay.
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let isTaken = state.withLock { state in
                guard state.takesConnections, Relay.withAddress(server, { connect(upstream, $0, $1) }) == 0
                else { return false }
                state.sockets += [client, upstream]
                state.taken += 1
                return true
            }
            guard isTaken else {
                close(client)
                close(upstream)
                continue
            }
            let pair = Pair(client: client, upstream: upstream)
            Thread.detachNewThread { [self] in copy(pair, from: client, to: upstream) { $0.fate(ofRequest: $1) } }
            Thread.detachNewThread { [self] in copy(pair, from: upstream, to: client) { state, _ in state.answers } }
        }
        close(listener)
    }

    /// Two sockets that are closed once both directions have ended.
    private final class Pair: Sendable {
        let client: Int32
        let upstream: Int32

        init(client: Int32, upstream: Int32) { (self.client, self.upstream) = (client, upstream) }

        deinit {
            close(client)
            close(upstream)
        }
    }

    private func copy(
        _ pair: Pair, from source: Int32, to target: Int32, fate: (inout State, ArraySlice<UInt8>) -> Fate
    ) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            let fate = state.withLock { state in
                let fate = fate(&state, buffer[..<count])
                state.hasLost = state.hasLost || fate == .lost
                return fate
            }
            if fate == .lost { continue }
            if fate == .ended { break }
            guard send(target, buffer, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(pair.client, Int32(SHUT_RDWR))
        shutdown(pair.upstream, Int32(SHUT_RDWR))
        state.withLock { $0.sockets.removeAll { $0 == pair.client || $0 == pair.upstream } }
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
