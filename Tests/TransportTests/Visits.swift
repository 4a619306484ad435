import Foundation
import Glibc
import Synchronization
import Threads
import WebProtocols

@testable import Transport

/// Clients' connections for tests, on two loops without listeners. Each visit notes what happens to it.
final class Visits: Sendable {
    private let transport: TransportServer

    init() throws {
        var options = TransportOptions(addresses: [])
        options.loops = 2
        options.shutdownTime = .seconds(1)
        transport = try TransportServer(options, clock: TestClock()) { VisitService($0) }
        try transport.start()
    }

    deinit { transport.shutdown() }

    /// Connects and does the steps in `begin`, then the steps of each note that has some. Returns the notes up to the
    /// end.
    func visit(
        _ endpoint: ClientEndpoint, limits: ClientLimits = ClientLimits(), loop: Int = 0,
        begin: @escaping Visit.Step, on steps: [String: Visit.Step] = [:]
    ) -> [String] {
        let visit = Visit(endpoint: endpoint, limits: limits, begin: begin, steps: steps)
        transport.loops[loop].post(visit)
        visit.hasEnded.wait()
        return visit.notes.withLock { $0 }
    }

    /// Stops the loops, for a visit that tests that.
    func stop() { for loop in transport.loops { loop.inbox.stop() } }
}

extension ClientEndpoint {
    static func local(_ port: Int) -> ClientEndpoint { ClientEndpoint(host: "127.0.0.1", port: port) }
}

final class Visit: Sendable {
    typealias Step = @Sendable (ClientConnection) -> Void

    let endpoint: ClientEndpoint
    let limits: ClientLimits
    let begin: Step
    let steps: [String: Step]
    let notes = Mutex<[String]>([])
    let hasEnded = DispatchSemaphore(value: 0)

    init(endpoint: ClientEndpoint, limits: ClientLimits, begin: @escaping Step, steps: [String: Step]) {
        (self.endpoint, self.limits, self.begin, self.steps) = (endpoint, limits, begin, steps)
    }
}

private final class VisitService: LoopService {
    private let context: LoopContext

    init(_ context: LoopContext) { self.context = context }

    func postsArrived(_ posted: [any Sendable]) {
        for case let visit as Visit in posted {
            visit.begin(context.connect(to: visit.endpoint, limits: visit.limits, delegate: Visitor(visit)))
        }
    }

    func requestArrived(_ request: HTTPRequest, on connection: Connection) {}
    func webSocketOpened(_ connection: Connection, for purpose: any Sendable) {}
    func messageArrived(_ message: RawSpan, kind: MessageKind, on connection: Connection) {}
    func connectionClosed(_ connection: Connection) {}
}

private final class Visitor: ClientConnectionDelegate {
    private let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    private func note(_ text: String, _ client: ClientConnection) {
        visit.notes.withLock { $0.append(text) }
        visit.steps[text]?(client)
    }

    func clientConnected(_ client: ClientConnection) { note("connected", client) }

    func responseArrived(_ response: HTTPResponse, to client: ClientConnection) {
        note("\(response.status) \(String(decoding: response.body, as: UTF8.self))", client)
    }

    func clientUpgraded(_ client: ClientConnection, subprotocol: String?) {
        note("upgraded" + (subprotocol.map { " " + $0 } ?? ""), client)
    }

    func messageArrived(_ message: RawSpan, kind: MessageKind, on client: ClientConnection) {
        let bytes = message.withUnsafeBytes { Array($0) }
        note(bytes.count > 100 ? "\(kind) of \(bytes.count)" : String(decoding: bytes, as: UTF8.self), client)
    }

    func outputDrained(_ client: ClientConnection) { note("drained", client) }

    func clientEnded(_ client: ClientConnection, _ end: ClientEnd) {
        note("\(end)", client)
        visit.hasEnded.signal()
    }
}

/// A server that sends what it is told to one client after the other. It reads up to an empty line, sends its bytes in
/// pieces, reads on, and ends the connection.
final class ScriptedServer: Sendable {
    let port: Int
    /// The bytes after the last client's head.
    var received: [UInt8] { served.bytes.withLock { $0 } }
    private let served = Served()
    private let listener: Int32

    /// `answer` gets the head. `reads`: how many bytes to wait for after it.
    init(reads: Int = .max, _ answer: @escaping @Sendable (_ head: String) -> [[UInt8]]) throws {
        (listener, port) = boundSocket()
        listen(listener, 16)
        _ = try SystemThread("scripted") { [served, listener] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                served.bytes.withLock { $0 = Self.serve(client, reads, answer) }
                close(client)
            }
            close(listener)
        }
    }

    // Ends the wait for the next client.
    deinit { _ = Glibc.shutdown(listener, Int32(SHUT_RDWR)) }

    /// Returns the bytes after the head.
    private static func serve(_ client: Int32, _ reads: Int, _ answer: (String) -> [[UInt8]]) -> [UInt8] {
        var (head, rest) = ([UInt8](), [UInt8]())
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !head.ends(with: "\r\n\r\n") {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return [] }
            head += buffer[..<count]
        }
        for piece in answer(String(decoding: head, as: UTF8.self)) {
            guard send(client, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { return [] }
        }
        while rest.count < reads {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            rest += buffer[..<count]
        }
        return rest
    }
}

private final class Served: Sendable {
    let bytes = Mutex<[UInt8]>([])
}

/// A port of 127.0.0.1 without a listener, which no one else gets.
final class DeafPort {
    let number: Int
    private let socket: Int32
    init() { (socket, number) = boundSocket() }
    deinit { close(socket) }
}

/// A socket with a port of 127.0.0.1 that the system chose.
private func boundSocket() -> (Int32, port: Int) {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            _ = bind(number, pointer, size)
            getsockname(number, pointer, &size)
        }
    }
    return (number, Int(UInt16(bigEndian: address.sin_port)))
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
