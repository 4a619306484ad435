import Synchronization
import Testing
import WebProtocols

@testable import Transport

@Suite("A client's connection") struct ClientConnectionTests {
    @Test("sends one request after the other, then becomes a WebSocket and closes it")
    func whole() throws {
        let server = try EchoServer()
        let notes = try Visits().visit(
            .local(server.port), begin: { $0.ask("GET", "/one") },
            on: [
                "200 /one": { $0.ask("POST", "/two", body: [1, 2]) },
                "200 /two": { $0.upgrade("/echo", subprotocols: ["chat"]) },
                "upgraded": { $0.send("hello") },
                "hello": { $0.close(.normal, "Bye.") },
            ])
        let end = "\(ClientEnd.closed(.normal, reason: ""))"
        #expect(notes == ["connected", "200 /one", "200 /two", "upgraded", "hello", end])
    }

    @Test("takes frames of any size, in order, and sends them", arguments: [1, 125, 126, 65_000])
    func sizes(size: Int) throws {
        let server = try EchoServer()
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: size)
        let echoed = size > 100 ? "binary of \(size)" : String(decoding: message, as: UTF8.self)
        let count = Counter()
        let notes = try Visits().visit(
            .local(server.port), begin: { $0.upgrade("/echo") },
            on: [
                "upgraded": { for _ in 0..<20 { $0.send(.binary, message.span.bytes) } },
                echoed: { if count.next() == 20 { $0.close(.normal, "") } },
            ])
        #expect(notes.filter { $0 == echoed }.count == 20)
    }

    @Test("reads nothing while it is paused, and then continues")
    func pauses() throws {
        let server = try EchoServer()
        let notes = try Visits().visit(
            .local(server.port),
            begin: {
                $0.upgrade("/burst")
                $0.isPaused = true
                $0.isPaused = false
            }, on: ["binary of 300000": { $0.close(.normal, "") }])
        #expect(notes.dropFirst() == ["upgraded", "binary of 300000", "\(ClientEnd.closed(.normal, reason: ""))"])
        var limits = ClientLimits()
        limits.closeTime = .milliseconds(20)
        let paused = try Visits().visit(
            .local(server.port), limits: limits, begin: { $0.upgrade("/echo") },
            on: [
                "upgraded": {
                    $0.isPaused = true
                    $0.send("unread")
                    $0.close(.normal, "")
                }
            ])
        #expect(paused == ["connected", "upgraded", "\(ClientEnd.failed(.timedOut(.closing)))"])
    }

    @Test("is cut when its queue exceeds the limit")
    func overflow() throws {
        let server = try EchoServer { $0.inputPauseBytes = 1 }
        var limits = ClientLimits()
        limits.queueLimitBytes = 1 << 20
        let piece = [UInt8](repeating: 7, count: 60_000)
        let notes = try Visits().visit(
            .local(server.port), limits: limits, begin: { $0.upgrade("/echo") },
            on: ["upgraded": { for _ in 0..<200 { $0.send(.binary, piece.span.bytes) } }])
        #expect(notes.last == "\(ClientEnd.failed(.overflow(limit: 1 << 20)))")
    }

    @Test("fails without a listener, and without a known name")
    func nobody() throws {
        let (visits, port) = (try Visits(), DeafPort())
        let refused = visits.visit(.local(port.number), begin: { $0.upgrade("/") })
        let error = ClientError.refused("127.0.0.1 port \(port.number)")
        #expect(refused == ["\(ClientEnd.failed(error))"])
        #expect(error.sentence == "127.0.0.1 port \(port.number) cannot be reached: Connection refused")
        let nowhere = ClientEndpoint(host: "no host at all", port: 1)
        let notes = visits.visit(nowhere, begin: { $0.upgrade("/") })
        #expect(notes.count == 1 && notes[0].contains("unknownHost(\"no host at all\""))
    }

    @Test("looks up a name, and tries the next address if the first has no listener")
    func names() throws {
        // It only listens on IPv4, and `localhost` may be IPv6 first.
        let server = try EchoServer()
        let notes = try Visits().visit(
            ClientEndpoint(host: "localhost", port: server.port), begin: { $0.ask("GET", "/a") },
            on: ["200 /a": { $0.abort() }])
        #expect(notes == ["connected", "200 /a", "aborted"])
    }

    @Test("is closed by the server's code, and by the end of its own loop")
    func ends() throws {
        let server = try EchoServer()
        let transport = server.transport
        let notes = try Visits().visit(
            .local(server.port), begin: { $0.upgrade("/echo") },
            on: ["upgraded": { _ in transport.loops.forEach { $0.inbox.stop() } }])
        #expect(notes.last == "\(ClientEnd.closed(.serviceRestart, reason: "The server is restarting."))")
        let (other, visits) = (try EchoServer(), try Visits())
        let last = visits.visit(
            .local(other.port), begin: { $0.upgrade("/echo") }, on: ["upgraded": { _ in visits.stop() }])
        #expect(last.last == "\(ClientEnd.closed(.goingAway, reason: ""))")
    }

    @Test("a server that is silent is sent a ping, then given up")
    func silence() throws {
        var limits = ClientLimits()
        let mute = try ScriptedServer { head in [Array(Self.grant(head).utf8)] }
        limits.pingInterval = .milliseconds(10)
        limits.silenceLimit = .milliseconds(100)
        let notes = try Visits().visit(.local(mute.port), limits: limits, begin: { $0.upgrade("/") })
        #expect(notes.dropFirst() == ["upgraded", "\(ClientEnd.failed(.silent(.milliseconds(100))))"])
    }

    @Test("a ping is answered masked with its own content, and the server's close with its code")
    func controls() throws {
        let frames: [UInt8] = [0x89, 0x02, 0x68, 0x69, 0x88, 0x02, 0x03, 0xE9]
        // Two frames of two bytes each, with their masks.
        let server = try ScriptedServer(reads: 16) { head in [Array(Self.grant(head).utf8) + frames] }
        let notes = try Visits().visit(.local(server.port), begin: { $0.upgrade("/") })
        #expect(notes == ["connected", "upgraded", "\(ClientEnd.closed(.goingAway, reason: ""))"])
        var (bytes, offset) = (server.received, 0)
        var decoder = MessageDecoder(limits: MessageLimits())
        var typed = bytes.mutableSpan
        var span = typed.mutableBytes
        #expect(try decoder.next(&span, at: &offset) == .pong([0x68, 0x69]))
        #expect(try decoder.next(&span, at: &offset) == .close(.goingAway, reason: ""))
    }

    // MARK: Servers that misbehave

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In pieces; `KEY` is the accept key.
        let pieces: [String]
        var reads = Int.max
        let error: ClientError
    }

    @Test(
        "an invalid grant is refused with what came instead",
        arguments: [
            Fault(
                testDescription: "a wrong accept key",
                pieces: [
                    "HTTP/1.1 101 \r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n"
                ],
                error: .noWebSocket(.wrongAcceptKey("x"))),
            Fault(
                testDescription: "404", pieces: ["HTTP/1.1 404 Not Found\r\nContent-Le", "ngth: 2\r\n\r\n{", "}"],
                error: .noWebSocket(
                    .refused(HTTPResponse(status: 404, headers: ["Content-Length": "2"], body: [0x7B, 0x7D])))),
            Fault(
                testDescription: "a redirect, which is not followed",
                pieces: ["HTTP/1.1 307 \r\nLocation: /\r\nContent-Length: 0\r\n\r\n"],
                error: .noWebSocket(
                    .refused(HTTPResponse(status: 307, headers: ["Location": "/", "Content-Length": "0"])))),
            Fault(testDescription: "no HTTP", pieces: ["SSH-2.0\r\n"], error: .badResponse(.malformedStatusLine)),
            Fault(
                testDescription: "an endless head",
                pieces: ["HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 20_000)],
                error: .badResponse(.headTooLong(limit: 16_384))),
            Fault(
                testDescription: "half an answer", pieces: ["HTTP/1.1 101 Switch"], reads: 0,
                error: .badResponse(.cut)),
            Fault(testDescription: "nothing", pieces: [], reads: 0, error: .badResponse(.cut)),
        ])
    func faults(_ fault: Fault) throws {
        let server = try ScriptedServer(reads: fault.reads) { _ in fault.pieces.map { Array($0.utf8) } }
        let notes = try Visits().visit(.local(server.port), begin: { $0.upgrade("/") })
        #expect(notes == ["connected", "\(ClientEnd.failed(fault.error))"])
    }

    @Test(
        "frames that break the protocol end it",
        arguments: [
            ([0x81, 0x80, 1, 2, 3, 4], FrameViolation.masked), ([0xC1, 0x00], .reservedBits(0x40)),
            ([0x81, 0x01, 0xFF], .invalidUTF8), ([0x80, 0x00], .unexpectedContinuation),
            ([0x82, 127, 0, 0, 0, 0, 1, 0, 0, 1], .frameTooLong(bytes: 1 << 24 | 1, limit: 1 << 24)),
        ] as [([UInt8], FrameViolation)])
    func violations(frame: [UInt8], violation: FrameViolation) throws {
        let server = try ScriptedServer { head in [Array(Self.grant(head).utf8) + frame] }
        let notes = try Visits().visit(.local(server.port), begin: { $0.upgrade("/") })
        #expect(notes == ["connected", "upgraded", "\(ClientEnd.failed(.badFrame(violation)))"])
    }

    @Test("a server that does not answer in time is given up")
    func slow() throws {
        var limits = ClientLimits()
        limits.answerTime = .milliseconds(20)
        let server = try ScriptedServer { _ in ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1".utf8.map { $0 }] }
        let notes = try Visits().visit(.local(server.port), limits: limits, begin: { $0.ask("GET", "/") })
        #expect(notes == ["connected", "\(ClientEnd.failed(.timedOut(.answer)))"])
    }

    @Test("a server that does not close in time is cut")
    func noClose() throws {
        var limits = ClientLimits()
        limits.closeTime = .milliseconds(20)
        let server = try ScriptedServer { head in [Array(Self.grant(head).utf8)] }
        let notes = try Visits().visit(
            .local(server.port), limits: limits, begin: { $0.upgrade("/") },
            on: ["upgraded": { $0.close(.normal, "") }])
        #expect(notes == ["connected", "upgraded", "\(ClientEnd.failed(.timedOut(.closing)))"])
    }

    @Test("an unrequested answer is refused")
    func unasked() throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedServer { _ in [Array((answer + answer).utf8)] }
        let notes = try Visits().visit(.local(server.port), begin: { $0.ask("GET", "/") })
        #expect(notes == ["connected", "200 ", "\(ClientEnd.failed(.unasked))"])
    }

    /// The 101 that grants what `head` asks for.
    private static func grant(_ head: String) -> String {
        let key = head.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst(19) ?? ""
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(OpeningHandshake.acceptKey(for: String(key)))\r\n\r\n"
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
