import TestSupport
import Testing
import WebProtocols

@testable import Transport

@Suite("What connections of one loop share") struct SharingTests {
    @Test("shared and single messages come in the order of sending, however much waits")
    func mixedOrder() throws {
        let server = try EchoServer { $0.queueLimitBytes = 64 << 20 }
        let client = try server.client("/padded")
        // Together more than sockets hold. Some fill one packet, some many, some are empty.
        let sizes = (0..<3_000).map { $0 * 7_919 % 20_000 }
        try client.send(sizes.flatMap { Frame.masked(.text, payload: Array("\($0)".utf8), mask: 0x0102_0304) })
        for size in sizes {
            let dots = [UInt8](repeating: UInt8(ascii: "."), count: size)
            try #require(try client.receive() == .message(.text, .assembled(dots)))
            try #require(try client.receive() == .text("\(size)"))
        }
    }

    @Test("an audience gets everything in order, though not all of it in one turn")
    func audience() throws {
        let server = try EchoServer()
        let speaker = try server.client("/stage")
        let listeners = try (0..<300).map { _ in try server.client() }
        for listener in listeners {
            try listener.upgrade("/crowd")
            #expect(try listener.receive() == .text("here"))
        }
        let lines = (0..<5).map { Array("line \($0)".utf8) }
        for line in lines {
            try speaker.send(.text, line)
            #expect(try speaker.receive() == .message(.text, .assembled(line)))
        }
        for listener in listeners {
            for line in lines { try #require(try listener.receive() == .message(.text, .assembled(line))) }
        }
    }

    @Test(
        "a client that sends too much is read at the rate limit, and loses nothing",
        arguments: [(messages: 12, fragments: 1, bytes: 30_000), (messages: 1, fragments: 3_000, bytes: 1)])
    func throttled(messages: Int, fragments: Int, bytes: Int) throws {
        let server = try EchoServer { $0.bytesPerSecond = 100_000 }
        let client = try server.client("/echo")
        let payload = [UInt8](repeating: 7, count: bytes)
        let message = (0..<fragments).flatMap { index in
            Frame.masked(
                index == 0 ? .binary : .continuation, payload: payload, isFinal: index == fragments - 1, mask: 1)
        }
        let began = ContinuousClock.now
        for _ in 0..<messages {
            try client.send(message)
            let whole = [UInt8](repeating: 7, count: bytes * fragments)
            try #require(try client.receive() == .message(.binary, .assembled(whole)))
        }
        // 200,000 at once, the rest no faster than the rate, so no machine is too slow for this check.
        #expect(ContinuousClock.now - began > .seconds(1))
    }
}
