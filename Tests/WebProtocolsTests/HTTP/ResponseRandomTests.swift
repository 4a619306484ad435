import ProtocolOracles
import Testing

@testable import WebProtocols

@Suite("Random bytes at the response decoder")
struct ResponseRandomTests {
    @Test("Random answers, some of them damaged, keep what must always hold", arguments: 1...300 as ClosedRange<UInt64>)
    func damagedResponses(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = response(&generator) + response(&generator)
        let marks = Array("\r\n :\0,;1".utf8)
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let place = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes[place] = marks.randomElement(using: &generator) ?? 0
            case 1: bytes.remove(at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        let limits = ResponseLimits(headBytes: .random(in: 60...300, using: &generator), fieldCount: 4, bodyBytes: 60)
        let cuts = generator.cuts(in: bytes.count, limit: 5)
        #expect(responseFault(bytes, cutAt: cuts, limits: limits) == nil, "seed \(seed)")
    }

    private func response(_ generator: inout SeededGenerator) -> [UInt8] {
        let lines = [
            "HTTP/1.1 200 OK", "HTTP/1.1 101 Switching Protocols", "HTTP/1.0 404 Not Found", "HTTP/1.1 100 Continue",
            "HTTP/1.1 304 ", "HTTP/1.1 503",
        ]
        let fields = [
            "Connection: Upgrade", "Upgrade: websocket", "Connection: close", "Content-Type: application/json",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "X-Empty:",
        ]
        var text = (lines.randomElement(using: &generator) ?? "") + "\r\n"
        for field in fields.shuffled(using: &generator).prefix(.random(in: 0...4, using: &generator)) {
            text += field + "\r\n"
        }
        switch Int.random(in: 0...3, using: &generator) {
        case 0: text += "\r\n"
        case 1: text += "Content-Length: 5\r\n\r\nhello"
        case 2: text += "\r\nhello"
        default: text += "Transfer-Encoding: chunked\r\n\r\n5;a\r\nhello\r\n3\r\nyou\r\n0\r\nA: b\r\n\r\n"
        }
        return Array(text.utf8)
    }
}
