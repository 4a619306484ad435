import TestSupport
import Testing
import Threads
import WebProtocols

@testable import Transport

/// Times after which a stuck connection ends. If no one is at fault, it is not counted.
@Suite("Times of connections") struct TimeLimitTests {
    @Test("a connection without further requests ends")
    func keepAlive() throws {
        let server = try EchoServer { $0.keepAliveTime = .milliseconds(1) }
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.receiveAnswer().status == 200)
        #expect(try client.receiveAll() == [])
        expectNothingCounted(server)
    }

    @Test(
        "a peer that does not close is cut when its time is over, or that of all",
        arguments: [(close: 1, shutdown: 30_000), (close: 3_600_000, shutdown: 1)])
    func close(milliseconds: (close: Int, shutdown: Int)) throws {
        let server = try EchoServer {
            $0.closeTime = .milliseconds(milliseconds.close)
            $0.shutdownTime = .milliseconds(milliseconds.shutdown)
        }
        let client = try server.client("/echo")
        let waiter = try SystemThread("shutdown") { server.transport.shutdown() }
        #expect(try client.receiveClose() == .serviceRestart)
        #expect(try client.receiveAll() == [])
        waiter.join()
        expectNothingCounted(server)
    }

    @Test("at shutdown a WebSocket is closed with 1012, and the port is free again")
    func shutdown() throws {
        let server = try EchoServer { $0.shutdownTime = .seconds(10) }
        let client = try server.client("/echo")
        let waiter = try SystemThread("shutdown") { server.transport.shutdown() }
        #expect(try client.receiveClose() == .serviceRestart)
        try client.send(.close, [0x03, 0xF4])
        waiter.join()
        #expect(server.journal.all == ["closed"])
    }

    @Test("at shutdown no one is refused until all have closed")
    func refusesLast() throws {
        let server = try EchoServer { $0.shutdownTime = .seconds(60) }
        let client = try server.client("/echo")
        let waiter = try SystemThread("shutdown") { server.transport.shutdown() }
        _ = try client.receive()
        // Accepted by the system.
        _ = try server.client()
        try client.send(.close, [0x03, 0xF4])
        waiter.join()
        #expect(throws: HTTPClientError.self) { try server.client() }
    }

    @Test("if others serve, clients are refused at once at shutdown, or served by the next server on the port")
    func refusesFirst() throws {
        let server = try EchoServer { $0.shutdownTime = .seconds(60) }
        // One on each loop.
        let clients = [try server.client(), try server.client()]
        for client in clients { try client.upgrade("/echo") }
        let waiter = try SystemThread("shutdown") { server.transport.shutdown(refusesFirst: true) }
        for client in clients { _ = try client.receive() }
        #expect(throws: HTTPClientError.self) { try server.client() }
        // The next server already has the port.
        let next = try EchoServer { $0.addresses = [ListenAddress(host: "127.0.0.1", port: server.port)] }
        try next.client().upgrade("/echo")
        for client in clients { try client.send(.close, [0x03, 0xF4]) }
        waiter.join()
    }

    @Test("a peer that keeps sending after the end is read only for a moment")
    func linger() throws {
        let server = try EchoServer { $0.lingerTime = .milliseconds(1) }
        let client = try server.client("/echo")
        try client.send([0xC1, 0x80, 0, 0, 0, 0])
        #expect(try client.receiveClose() == .protocolError)
        // So slowly that its size does not matter.
        #expect(throws: HTTPClientError.self) { for _ in 0..<TransportOptions.lingerBytes { try client.send([0]) } }
        expectNothingCounted(server)
    }

    @Test("each of a crowd whose heads never end gets 408, and other clients are served")
    func slowloris() throws {
        let server = try EchoServer { ($0.headTime, $0.lingerTime) = (.seconds(1), .milliseconds(1)) }
        let other = try server.client()
        func expectServed() throws {
            try other.send("GET /served HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try other.receiveAnswer().body == Array("/served".utf8))
        }
        try expectServed()
        let crowd = try (0..<50).map { _ in
            let client = try server.client()
            try client.send("GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n")
            return client
        }
        try expectServed()
        for client in crowd { #expect(try client.receiveAnswer().status == 408) }
        try expectServed()
        server.transport.shutdown()
        #expect(server.transport.loops.map { $0.counters.limits[.headTime] }.reduce(0, +) == 50)
    }

    private func expectNothingCounted(_ server: EchoServer) {
        server.transport.shutdown()
        let loops = server.transport.loops
        #expect(TransportLimit.allCases.filter { limit in loops.contains { $0.counters.limits[limit] > 0 } } == [])
    }
}
