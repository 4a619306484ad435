import Cryptography
import TestSupport
import Testing
import WebProtocols

@testable import Transport

/// Each of the transport's limits in `flipside_limits_total`, and one past it. `ProtocolLimits.md` has the results.
@Suite("Limits of connections that are counted") struct CountedLimitTests {
    @Test("exceeding a limit is counted under its name, and answered as documented", arguments: LimitCase.all)
    func limits(_ one: LimitCase) throws {
        var pairs: [TLSFiles] = []
        if one.limit == .handshakeTime { pairs = [try #require(Self.files)] }
        let server = try EchoServer { options in
            one.change(&options)
            options.tls = pairs.isEmpty ? nil : TLSOptions(pairs: pairs)
            options.shutdownTime = .milliseconds(1)
        }
        let client = try server.client()
        #expect(try one.act(client, server.port) == one.answer)
        // The last turn is counted too.
        server.transport.shutdown()
        let loops = server.transport.loops
        let hit = TransportLimit.allCases.filter { limit in loops.contains { $0.counters.limits[limit] > 0 } }
        #expect(hit == [one.limit])
    }

    @Test("every limit is tested, with that of descriptors in test_limits.py")
    func all() {
        #expect(Set(LimitCase.all.map(\.limit)) == Set(TransportLimit.allCases).subtracting([.descriptors]))
    }

    private static let files = TLSFiles.forLocalhost()
}

/// A limit, made small where possible, and a client that exceeds it.
struct LimitCase: CustomTestStringConvertible, Sendable {
    enum Answer: Equatable, Sendable {
        case refused(Int)
        case closed(CloseCode)
        /// The connection ends without a word.
        case cut
        /// Everything that was asked for arrives.
        case served
    }

    let limit: TransportLimit
    let answer: Answer
    let change: @Sendable (inout TransportOptions) -> Void
    let act: @Sendable (TestClient, _ port: Int) throws -> Answer

    var testDescription: String { limit.rawValue }

    init(
        _ limit: TransportLimit, _ answer: Answer,
        with change: @escaping @Sendable (inout TransportOptions) -> Void = { _ in },
        act: @escaping @Sendable (TestClient, _ port: Int) throws -> Answer
    ) {
        (self.limit, self.answer, self.change, self.act) = (limit, answer, change, act)
    }

    static let all = ofRequests + ofConnections + ofWebSockets

    private static let ofRequests = [
        LimitCase(.headSize, .refused(431)) { client, _ in
            let field = String(repeating: "a", count: HTTPLimits().headBytes)
            try client.send("GET / HTTP/1.1\r\nHost: a\r\nX: \(field)\r\n\r\n")
            return .refused(try client.receiveAnswer().status)
        },
        LimitCase(.bodySize, .refused(413)) { client, _ in
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(HTTPLimits().bodyBytes + 1)\r\n\r\n")
            return .refused(try client.receiveAnswer().status)
        },
        LimitCase(.headTime, .refused(408), with: { $0.headTime = .milliseconds(250) }) { client, _ in
            try client.send("GET / HTTP/1.1\r\n")
            return .refused(try client.receiveAnswer().status)
        },
        LimitCase(.handshakeTime, .cut, with: { $0.handshakeTime = .milliseconds(1) }) { client, _ in
            try client.receiveAll().isEmpty ? .cut : .served
        },
    ]

    private static let ofConnections = [
        LimitCase(.connections, .refused(503), with: { $0.connectionLimit = 1 }) { client, port in
            try client.upgrade("/echo")
            return .refused(try ask("/", of: port))
        },
        LimitCase(
            .connectionsPerAddress, .refused(429),
            with: {
                // With a trusted proxy, this machine is limited too.
                if let proxy = AddressBlock("10.0.0.1/32") { $0.trustedProxies = [proxy] }
                $0.connectionsPerAddress = 1
            }
        ) { client, port in
            try client.upgrade("/echo")
            return .refused(try ask("/", of: port))
        },
        LimitCase(
            .lingerSize, .cut,
            with: {
                // Only by size.
                ($0.lingerTime, $0.bytesPerSecond) = (.seconds(3_600), 1 << 40)
            }
        ) { client, _ in
            try client.upgrade("/echo")
            // An invalid frame.
            try client.send([0xC1, 0x80, 0, 0, 0, 0])
            guard case .close(.protocolError, _) = try client.receive() else { return .served }
            // More than both sockets hold: it can only be sent while it is read.
            let piece = [UInt8](repeating: 0, count: 1 << 20)
            do { for _ in 0..<64 { try client.send(piece) } } catch { return .cut }
            return .served
        },
    ]

    private static let ofWebSockets = [
        LimitCase(.messageSize, .closed(.messageTooBig)) { client, _ in
            try client.upgrade("/echo")
            try client.send(.binary, [UInt8](repeating: 65, count: MessageLimits().messageBytes + 1))
            return try end(of: client)
        },
        LimitCase(.bytesPerSecond, .served, with: { $0.bytesPerSecond = 1_000 }) { client, _ in
            try client.upgrade("/echo")
            let payload = [UInt8](repeating: 65, count: 2_001)
            try client.send(.binary, payload)
            return try client.receive() == .message(.binary, .assembled(payload)) ? .served : .cut
        },
        LimitCase(
            .silence, .closed(.timeout),
            with: { ($0.pingInterval, $0.silenceLimit) = (.milliseconds(1), .milliseconds(2)) }
        ) { client, _ in
            try client.upgrade("/echo")
            return try end(of: client)
        },
        LimitCase(.sendQueue, .cut, with: { $0.queueLimitBytes = 100_000 }) { client, _ in
            // Cut before the answer to the upgrade has been sent.
            _ = try? client.upgrade("/flood")
            return try end(of: client)
        },
        // In one piece with a request for far more than a socket holds, so that all of them find it full.
        LimitCase(
            .pongs, .served, with: { ($0.queueLimitBytes, $0.inputPauseBytes) = (64 << 20, 64 << 20) }
        ) { client, _ in
            let count = TransportOptions.pongLimit + 2
            let pings = (0..<count).flatMap { Frame.masked(.ping, payload: [UInt8($0)], mask: 7) }
            try client.upgrade("/flood", behind: pings)
            // Of those past the limit, the newest is answered once all before it are sent.
            var pongs: [UInt8] = []
            while pongs.last != UInt8(count - 1) {
                if case .pong(let payload) = try client.receive() { pongs += payload }
            }
            return pongs == ((0..<TransportOptions.pongLimit) + [count - 1]).map { UInt8($0) } ? .served : .cut
        },
    ]

    /// The status of an answer to another connection.
    private static func ask(_ path: String, of port: Int) throws -> Int {
        let client = try TestClient(port: port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        return try client.receiveAnswer().status
    }

    /// How a WebSocket ends.
    private static func end(of client: TestClient) throws -> Answer {
        do {
            while true {
                if case .close(let code, _) = try client.receive() { return code.map { .closed($0) } ?? .served }
            }
        } catch HTTPClientError.closed { return .cut }
    }
}
