import Cryptography
import Glibc
import TestSupport
import Testing
import WebProtocols

@testable import Transport

@Suite("Connections over real sockets") struct TransportTests {
    @Test("a message comes back, whichever loop it lives on", arguments: ["/echo", "/other"])
    func echo(path: String) throws {
        let server = try EchoServer()
        let client = try server.client()
        #expect(try client.upgrade(path).contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        for size in [0, 1, 125, 126, 65_535] {
            let payload = [UInt8](repeating: 65, count: size)
            try client.send(.text, payload)
            #expect(try client.receive() == .message(.text, .assembled(payload)))
        }
    }

    @Test("bytes after the request move to the other loop")
    func behind() throws {
        let server = try EchoServer()
        let client = try server.client()
        try client.upgrade("/other", behind: Frame.masked(.text, payload: Array("early".utf8), isFinal: true, mask: 7))
        #expect(try client.receive() == .text("early"))
    }

    @Test("a request and frames that come byte by byte are the same")
    func slowly() throws {
        let server = try EchoServer()
        let client = try server.client()
        for byte in "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n".utf8 { try client.send([byte]) }
        #expect(try client.receiveAnswer().body == Array("/slow".utf8))
        try client.upgrade("/echo")
        for byte in Frame.masked(.text, payload: Array("héllo".utf8), isFinal: true, mask: 99) {
            try client.send([byte])
        }
        #expect(try client.receive() == .text("héllo"))
    }

    @Test("requests sent together are answered in order")
    func pipelining() throws {
        let server = try EchoServer()
        let client = try server.client()
        try client.send((0..<20).map { "GET /\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
        for number in 0..<20 { #expect(try client.receiveAnswer().body == Array("/\(number)".utf8)) }
    }

    @Test("pings are answered between the parts of a message, which comes back whole")
    func fragments() throws {
        let server = try EchoServer()
        let client = try server.client("/echo")
        try client.send(.text, Array("one ".utf8), isFinal: false)
        try client.send(.ping, [1, 2])
        try client.send(.continuation, Array("two".utf8))
        #expect(try client.receive() == .pong([1, 2]))
        #expect(try client.receive() == .text("one two"))
    }

    @Test("the closing handshake is answered, and the service is told")
    func closing() throws {
        let server = try EchoServer()
        let client = try server.client("/echo")
        try client.send(.close, [0x03, 0xE8])
        #expect(try client.receive() == .close(.normal, reason: ""))
        #expect(try client.receiveAll() == [])
        server.transport.shutdown()
        #expect(server.journal.all == ["closed"])
    }

    @Test("a slow reader gets everything in the end, and no one else waits")
    func slowReader() throws {
        let server = try EchoServer { $0.queueLimitBytes = 64 << 20 }
        let slow = try server.client("/flood")
        let quick = try server.client("/echo")
        try quick.send(.text, Array("now".utf8))
        #expect(try quick.receive() == .text("now"))
        #expect(!server.journal.all.contains("drained"))
        for _ in 0..<400 {
            guard case .message(.binary, .assembled(let payload)) = try slow.receive() else {
                Issue.record("something else came")
                return
            }
            #expect(payload.count == 50_000)
        }
        #expect(try slow.receive() == .text("drained"))
    }

    @Test("a service that waits for a long send is told, even if the socket took it at once")
    func burst() throws {
        let server = try EchoServer { $0.inputPauseBytes = 100_000 }
        let client = try server.client("/burst")
        guard case .message(.binary, .assembled(let payload)) = try client.receive() else {
            Issue.record("something else came")
            return
        }
        #expect(payload.count == 300_000)
        #expect(try client.receive() == .text("drained"))
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sent: String
        let status: Int
    }

    @Test(
        "a bad request is answered with its status, and the connection ends",
        arguments: [
            Bad(testDescription: "not HTTP", sent: "hello\r\n\r\n", status: 400),
            Bad(
                testDescription: "a huge header", sent: "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 20_000),
                status: 431),
            Bad(testDescription: "no host", sent: "GET / HTTP/1.1\r\n\r\n", status: 400),
        ])
    func badRequests(_ bad: Bad) throws {
        let server = try EchoServer()
        let client = try server.client()
        try client.send(bad.sent)
        #expect(String(decoding: try client.receiveAll(), as: UTF8.self).hasPrefix("HTTP/1.1 \(bad.status) "))
    }

    @Test("a peer that answers gets the next ping after the same time")
    func pings() throws {
        let server = try EchoServer {
            $0.pingInterval = .milliseconds(10)
            $0.silenceLimit = .seconds(3_600)
        }
        let client = try server.client("/echo")
        for _ in 0..<3 {
            #expect(try client.receive() == .ping([]))
            try client.send(.pong, [])
        }
    }

    @Test("connections made at the same time get their pings at different times")
    func spreadPings() {
        var options = TransportOptions(addresses: [])
        options.pingInterval = .seconds(20)
        let times = TimeLimits(options)
        var pings: [Int: Int] = [:]
        for index in 0..<UInt64(10_000) { pings[times.ping(of: 5 << 32 | index) / 100, default: 0] += 1 }
        #expect(pings.keys.min() == 100 && pings.keys.max() == 200)
        #expect(pings.values.max() ?? 0 <= 110)
    }

    @Test("a violation is answered with its close code and the end")
    func violation() throws {
        let server = try EchoServer()
        let client = try server.client("/echo")
        try client.send([0xC1, 0x80, 0, 0, 0, 0])
        #expect(try client.receiveClose() == .protocolError)
        #expect(try client.receiveAll() == [])
    }

    @Test("a health request is answered beyond the limit, and its connection ends")
    func healthPastLimit() throws {
        let server = try EchoServer { $0.connectionLimit = 1 }
        let first = try server.client()
        try first.upgrade("/echo")
        for _ in 0..<2 {
            let second = try server.client()
            try second.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = String(decoding: try second.receiveAll(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n/health"), "\(answer)")
            #expect(answer.contains("\r\nConnection: close\r\n"))
        }
    }

    @Test("timers fire in the order of their times, and posts arrive in the order in which they were sent")
    func order() throws {
        let server = try EchoServer()
        for number in 0..<100 { server.transport.loops[0].post("post \(number)") }
        server.transport.loops[1].post([30, 10, 20, 40])
        while server.journal.all.count < 104 { sched_yield() }
        #expect(server.journal.all.filter { $0.hasPrefix("post") } == (0..<100).map { "post \($0)" })
        #expect(server.journal.all.filter { $0.hasPrefix("timer") } == [10, 20, 30, 40].map { "timer \($0)" })
    }

    @Test("a loop tells its service that it was blocked, and does not blame silent peers")
    func stall() throws {
        let server = try EchoServer()
        let client = try server.client("/echo")
        server.clock.jump(by: 86_400_000)
        while server.journal.stalls.withLock({ $0.count { $0 >= 86_400_000 } }) < 2 { sched_yield() }
        try client.send(.text, Array("still here".utf8))
        #expect(try client.receive() == .text("still here"))
        let other = try server.client()
        try other.send("GET /date HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try other.receiveAnswer().head.contains("\r\nDate: Fri, 02 Jan 2026 "))
    }

    @Test("a port in use is named, and so is an address that cannot be listened on")
    func startErrors() throws {
        let server = try EchoServer()
        let taken = ListenAddress(host: "127.0.0.1", port: server.port)
        #expect(throws: TransportError.portInUse(taken)) {
            _ = try TransportServer(TransportOptions(addresses: [taken]), clock: TestClock()) { _ in
                preconditionFailure("never started")
            }
        }
        let files = TLSFiles(certificate: "/nonexistent", key: "/nonexistent")
        #expect { _ = try EchoServer { $0.tls = TLSOptions(pairs: [files]) } } throws: {
            guard case .tls(.unreadable("/nonexistent", _))? = $0 as? TransportError else { return false }
            return true
        }
    }
}
