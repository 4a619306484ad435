import TestSupport
import Testing
import Transport

@testable import WebProtocols

@Suite("Compressed messages over sockets, RFC 7692") struct CompressionTests {
    private static func head(_ path: String) -> String {
        """
        GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
        Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n
        """
    }

    /// The bytes that come back for payloads in texts marked as compressed, and for a close.
    private func answer(to payloads: [UInt8]..., at path: String = "/echo") throws -> [UInt8] {
        let server = try EchoServer()
        let client = try server.client()
        try client.send(Self.head(path))
        try client.send(payloads.flatMap { Frame.masked(.text, payload: $0, isCompressed: true, mask: 1) })
        try client.send(.close, [0x03, 0xE8])
        let all = try client.receiveAll()
        let end = try #require(all.indices.first { all[$0...].starts(with: Array("\r\n\r\n".utf8)) })
        let head = String(decoding: all[..<end], as: UTF8.self)
        #expect(
            head.contains(
                "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover"))
        return Array(all[(end + 4)...])
    }

    private func compressed(_ text: [UInt8]) throws -> [UInt8] {
        let bytes = Deflater().compress(text.span.bytes, windowBits: 15)
        return try #require(bytes)
    }

    @Test("long messages come back compressed, and short ones as they are", arguments: [(5_000, true), (500, false)])
    func echo(row: (count: Int, isCompressed: Bool)) throws {
        let text = [UInt8](repeating: 65, count: row.count)
        var answer = try answer(to: compressed(text))
        #expect((answer[0] == 0xC1) == row.isCompressed)
        #expect((answer.count < 100) == row.isCompressed)
        var decoder = MessageDecoder(limits: MessageLimits(), from: .server)
        var offset = 0
        var span = answer.mutableSpan
        var bytes = span.mutableBytes
        let inflater = try #require(Inflater())
        switch try decoder.next(&bytes, at: &offset, inflater: inflater) {
        case .message(.text, .inflated): #expect(inflater.withMessage { $0.withUnsafeBytes { $0.elementsEqual(text) } })
        case .message(.text, .inPlace(let range)): #expect(range.count == row.count)
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test("a bomb ends with 1009, and invalid deflate data with 1007")
    func violations() throws {
        let bomb = try compressed([UInt8](repeating: 0, count: MessageLimits().messageBytes + 1))
        #expect(bomb.count < 1_000)
        for (payload, code) in [(bomb, CloseCode.messageTooBig), ([0xFF, 0xFF], .invalidPayload)] {
            let answer = try answer(to: payload)
            #expect(answer[0] == 0x88)
            #expect(Array(answer[2...3]) == [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)])
        }
    }

    @Test("a turn inflates as much as one message may have, and the rest waits")
    func share() throws {
        let message = try compressed([UInt8](repeating: 65, count: MessageLimits().messageBytes / 2 + 1))
        var rest = try answer(to: message, message, message, message, message, message, at: "/turns")[...]
        var turns: [ArraySlice<UInt8>] = []
        while rest.popFirst() == 0x81, let count = rest.popFirst() {
            turns.append(rest.prefix(Int(count)))
            rest = rest.dropFirst(Int(count))
        }
        #expect(turns.count == 6)
        // Two exceed it, since no one knows in advance how large the second becomes.
        #expect(Set(turns).count == 3)
    }

    @Test("a client with much to inflate lets others go in between, and one with none never waits")
    func fairShare() throws {
        let server = try EchoServer()
        // If anything fails, the loop must not block forever.
        defer { server.journal.gate.signal() }
        let message = try compressed([UInt8](repeating: 65, count: MessageLimits().messageBytes / 2 + 1))
        let (many, one, plain) = (100, try compressed([UInt8](repeating: 66, count: 200)), Array("plain".utf8))
        let clients = try (0..<3).map { _ in
            let client = try server.client()
            try client.send(Self.head("/turns"))
            _ = try client.receiveAnswer()
            return client
        }
        try clients[0].send(
            Frame.masked(.text, payload: Array("wait".utf8), mask: 1)
                + (0..<many).flatMap { _ in Frame.masked(.text, payload: message, isCompressed: true, mask: 1) })
        try clients[1].send(Frame.masked(.text, payload: one, isCompressed: true, mask: 1))
        try clients[2].send(Frame.masked(.text, payload: plain, mask: 1))
        for client in clients { client.waitForDelivery() }
        server.journal.gate.signal()
        let turns = try (0...many).map { _ in try clients[0].turn() }
        #expect(Set(turns).count == many / 2)
        // Read in the turn after the blocked one. In both, the first client comes first.
        #expect(try clients[1].turn() <= Set(turns).sorted()[3])
        #expect(try clients[2].turn() <= Set(turns).sorted()[1])
    }
}

extension TestClient {
    /// When the turn began that brought a message of `/turns`.
    fileprivate func turn() throws -> Int {
        guard case .message(.text, .assembled(let text)) = try receive(),
            let began = Int(String(decoding: text, as: UTF8.self))
        else { throw HTTPClientError.noAnswer }
        return began
    }
}
