import TestSupport
import Testing
import WebProtocols

@testable import Transport

/// All clients are on 127.0.0.1.
@Suite("Behind a proxy, over real sockets") struct ProxyTests {
    private static let version2: [UInt8] =
        Array("\r\n\r\n\0\r\nQUIT\n".utf8) + [0x21, 0x11, 0, 15, 192, 0, 2, 1, 192, 0, 2, 2, 0, 1, 0, 2, 4, 0, 0]

    private func server(
        trusting proxies: String..., change: (inout TransportOptions) -> Void = { _ in }
    ) throws -> EchoServer {
        let blocks = try proxies.map { try #require(AddressBlock($0)) }
        return try EchoServer {
            $0.trustedProxies = blocks
            change(&$0)
        }
    }

    private func request(_ path: String, _ fields: String..., upgrading: Bool = false) -> String {
        let upgrade = [
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
        ]
        let lines = ["GET \(path) HTTP/1.1", "Host: x"] + fields + (upgrading ? upgrade : [])
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The client that this request is attributed to.
    private func peer(_ client: TestClient, _ fields: String) throws -> String {
        try client.send(request("/peer", fields))
        return String(decoding: try client.receiveAnswer().body, as: UTF8.self)
    }

    /// The status of the answer to an upgrade.
    private func upgrade(_ client: TestClient, for address: String) throws -> Int {
        try client.send(request("/whose", "X-Forwarded-For: \(address)", upgrading: true))
        return try client.receiveAnswer().status
    }

    @Test("each request of a trusted proxy may be another client's, and none is the proxy's own")
    func requests() throws {
        let server = try server(trusting: "127.0.0.1", "10.0.0.0/8")
        let client = try server.client()
        for (field, said) in [
            ("X-Forwarded-For: 192.0.2.1", "192.0.2.1"), ("Accept: */*", "127.0.0.1 unlimited"),
            ("Forwarded: for=\"[2001:db8::1]\";proto=https, for=10.1.1.1", "2001:db8::1 https"),
            ("X-Forwarded-Proto: https", "127.0.0.1 https unlimited"), ("X-Forwarded-For: 127.0.0.1", "127.0.0.1"),
            ("X-Forwarded-For: 192.0.2.1, unknown", "127.0.0.1"),
        ] {
            #expect(try peer(client, field) == said)
        }
    }

    @Test("no other peer is believed, whatever it sends", arguments: ["10.0.0.0/8", "127.0.0.0/32"])
    func strangers(proxy: String) throws {
        let server = try server(trusting: proxy)
        #expect(try peer(try server.client(), "X-Forwarded-For: 192.0.2.1") == "127.0.0.1")
        for header in [Array("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".utf8), Self.version2] {
            let client = try server.client()
            try client.send(header + request("/peer").utf8)
            #expect(try client.receiveAnswer().status == 400)
        }
    }

    @Test("a proxy that names no one is itself the client")
    func namedProxy() throws {
        let server = try server(trusting: "127.0.0.1", "10.0.0.0/8")
        let client = try server.client()
        try client.send("PROXY TCP4 10.1.1.1 10.1.1.2 1 2\r\n")
        #expect(try peer(client, "Accept: */*") == "10.1.1.1 unlimited")
        #expect(try peer(client, "X-Forwarded-For: 192.0.2.9") == "192.0.2.9")
    }

    @Test("a PROXY header names a connection's client, however it is cut, and that client can name no other")
    func headers() throws {
        let server = try server(trusting: "127.0.0.1", "10.0.0.0/8")
        let rest = Array(request("/peer", "X-Forwarded-For: 192.0.2.9").utf8)
        for (header, said) in [
            (Self.version2, "192.0.2.1"), (Array("PROXY TCP6 2001:db8::1 ::1 1 2\r\n".utf8), "2001:db8::1"),
            (Array("PROXY UNKNOWN\r\n".utf8), "192.0.2.9"), ([], "192.0.2.9"),
            // A proxy behind a proxy.
            (Array("PROXY TCP4 10.1.1.1 10.1.1.2 1 2\r\n".utf8), "192.0.2.9"),
        ] {
            for size in [1, 7, 1_000] {
                let client = try server.client()
                let bytes = header + rest
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try client.send(Array(bytes[start..<min(start + size, bytes.count)]))
                }
                #expect(String(decoding: try client.receiveAnswer().body, as: UTF8.self) == said)
            }
        }
    }

    @Test(
        "a PROXY header that is bad, or one that does not end, ends the connection",
        arguments: [
            ("PROXY TCP4 192.0.2.1\r\n", "malformedLine 127.0.0.1 unlimited"),
            ("PROXY " + String(repeating: "x", count: 102), "lineTooLong 127.0.0.1 unlimited"),
            ("\r\n\r\n\0\r\nQUIT\n\u{21}\u{11}\u{7F}\u{7F}", "tooLong(bytes: 32655, limit: 16384) 127.0.0.1 unlimited"),
            ("PROXY TCP4 192.0.2.1 192", nil),
        ])
    func bad(header: String, noted: String?) throws {
        let server = try server(trusting: "127.0.0.1") { if noted == nil { $0.headTime = .milliseconds(50) } }
        let client = try server.client()
        try client.send(header)
        #expect(try client.receiveAll() == [])
        #expect(server.journal.all == (noted.map { [$0] } ?? []))
    }

    @Test("a connection counts for the client that a PROXY header names, and no longer than it lasts")
    func countedByHeader() throws {
        let server = try server(trusting: "127.0.0.1") { $0.connectionsPerAddress = 1 }
        func ask(_ address: String) throws -> (TestClient, Int) {
            let client = try server.client()
            try client.send("PROXY TCP4 \(address) 192.0.2.2 1 2\r\n" + request("/peer"))
            return (client, try client.receiveAnswer().status)
        }
        let (first, status) = try ask("192.0.2.1")
        #expect(status == 200)
        #expect(try ask("192.0.2.1").1 == 429)
        #expect(try ask("192.0.2.3").1 == 200)
        // It continues as a WebSocket, counted once.
        try first.send(request("/whose", upgrading: true))
        #expect(try first.receiveAnswer().status == 101)
        #expect(try ask("192.0.2.1").1 == 429)
    }

    @Test("a WebSocket counts for its client, and beyond the limit the proxy keeps its connection")
    func countedByUpgrade() throws {
        let server = try server(trusting: "127.0.0.1") { $0.connectionsPerAddress = 1 }
        let clients = try (0..<5).map { _ in try server.client() }
        #expect(try upgrade(clients[0], for: "192.0.2.1") == 101)
        #expect(try clients[0].receive() == .text("192.0.2.1"))
        #expect(try upgrade(clients[1], for: "192.0.2.1") == 429)
        #expect(try peer(clients[1], "X-Forwarded-For: 192.0.2.1") == "192.0.2.1")
        #expect(try upgrade(clients[1], for: "192.0.2.3") == 101)
        #expect(try upgrade(clients[2], for: "127.0.0.1") == 101)
        #expect(try upgrade(clients[3], for: "127.0.0.1") == 429)
        #expect(try upgrade(clients[4], for: "2001:db8::1") == 101)
        #expect(try upgrade(clients[3], for: "2001:db8::2") == 429)
    }

    @Test(
        "connections of a trusted proxy are not counted, nor of this machine if none is trusted",
        arguments: [(nil, 200), ("127.0.0.1", 200), ("10.0.0.0/8", 429)])
    func uncounted(proxy: String?, status: Int) throws {
        let server = try EchoServer {
            $0.connectionsPerAddress = 1
            $0.trustedProxies = proxy.flatMap { AddressBlock($0) }.map { [$0] } ?? []
        }
        let first = try server.client()
        #expect(try peer(first, "Accept: */*").isEmpty == false)
        let second = try server.client()
        try second.send(request("/peer"))
        #expect(try second.receiveAnswer().status == status)
    }

    @Test("a closed connection frees its place, both of its address and in all")
    func places() throws {
        var options = TransportOptions(addresses: [])
        (options.connectionLimit, options.connectionsPerAddress) = (10, 1)
        let admission = Admission(options)
        let address = try #require(IPAddress("2001:db8::1"))
        let client = Peer(address: address, isTLS: false, isLimited: true)
        func comesAndGoes() -> Bool { admission.enter(client).refusal == nil }
        for _ in 0..<100 { #expect(comesAndGoes()) }
        let held = admission.enter(clientOfProxy: client)
        let refusal = held.refusal
        #expect(refusal == nil && !comesAndGoes())
        _ = consume held
    }
}
