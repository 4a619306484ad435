import TestSupport
import Testing
import Threads
import WebProtocols

@testable import Transport

@Suite("What loops count") struct CountingTests {
    /// The counts of both loops after they have ended, so that the last turn is counted too.
    private func counted<Value>(_ server: EchoServer, _ part: (LoopCounters) -> Value) -> [Value] {
        server.transport.shutdown()
        return server.transport.loops.map { part($0.counters) }
    }

    @Test(
        "bytes and messages are counted both ways, and the handshake that opened the WebSocket",
        arguments: ["/echo", "/other"])
    func traffic(path: String) throws {
        let server = try EchoServer { $0.shutdownTime = .milliseconds(1) }
        let client = try HTTPClient(port: server.port, timeout: .seconds(60))
        let answer = try client.upgrade(path)
        for _ in 0..<3 { try client.send(Frame.masked(.text, payload: [65, 66], isFinal: true, mask: 1)) }
        while client.unread.count < 3 * 4 { #expect(try client.receiveMore()) }
        let sent = answer.head.utf8.count + 4 + client.unread.count
        // The close frame at the end has a reason.
        #expect(counted(server) { $0.sentBytes.value }.reduce(0, +) >= sent)
        #expect(counted(server) { $0.receivedBytes.value }.reduce(0, +) > 3 * 8)
        #expect(counted(server) { $0.receivedMessages.value }.reduce(0, +) == 3)
        #expect(counted(server) { $0.sentMessages.value }.reduce(0, +) == 3)
        #expect(counted(server) { $0.plainHandshakes.value.count }.reduce(0, +) == 1)
        #expect(counted(server) { $0.secureHandshakes.value.count + $0.handshakes(.tls13).count }.reduce(0, +) == 0)
        #expect(counted(server) { $0.lag.value.count }.reduce(0, +) > 0)
    }

    @Test("waiting bytes are summed as they grow and shrink")
    func waiting() {
        var waiting = WaitingBytes()
        for (bytes, token) in [(10, 1), (5, 2), (30, 1), (0, 3)] as [(Int, UInt64)] { waiting.set(bytes, of: token) }
        #expect(waiting.sum == 35 && !waiting.isEmpty)
        waiting.set(0, of: 1)
        #expect(waiting.sum == 5)
        waiting.set(0, of: 2)
        #expect(waiting.sum == 0 && waiting.isEmpty)
    }
}
