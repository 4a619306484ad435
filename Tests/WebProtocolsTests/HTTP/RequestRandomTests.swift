import ProtocolOracles
import Testing

@testable import WebProtocols

@Suite("Random bytes at the request decoder")
struct RequestRandomTests {
    @Test(
        "Random requests, some of them damaged, keep what must always hold", arguments: 1...300 as ClosedRange<UInt64>)
    func damagedRequests(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = (0..<Int.random(in: 1...3, using: &generator)).flatMap { _ in request(&generator) }
        let marks = Array("\r\n :\0,;%".utf8)
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let place = Int.random(in: bytes.indices, using: &generator)
            switch Int.random(in: 0...2, using: &generator) {
            case 0: bytes[place] = marks.randomElement(using: &generator) ?? 0
            case 1: bytes.remove(at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        let limits = HTTPLimits(headBytes: .random(in: 100...400, using: &generator), fieldCount: 6, bodyBytes: 20)
        let cuts = generator.cuts(in: bytes.count, limit: 5)
        #expect(requestFault(bytes, cutAt: cuts, limits: limits) == nil, "seed \(seed)")
    }

    private func request(_ generator: inout SeededGenerator) -> [UInt8] {
        let lines = ["GET / HTTP/1.1", "POST /a%20b?c=d+e HTTP/1.1", "HEAD http://a/b HTTP/1.0", "OPTIONS * HTTP/1.1"]
        let fields = [
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Accept: */*, text/html",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Expect: 100-continue", "X-Empty:",
        ]
        var text = (lines.randomElement(using: &generator) ?? "") + "\r\nHost: example.com\r\n"
        for field in fields.shuffled(using: &generator).prefix(.random(in: 0...6, using: &generator)) {
            text += field + "\r\n"
        }
        switch Int.random(in: 0...2, using: &generator) {
        case 0: text += "\r\n"
        case 1: text += "Content-Length: 5\r\n\r\nhello"
        default: text += "Transfer-Encoding: chunked\r\n\r\n5;a\r\nhello\r\n3\r\nyou\r\n0\r\nA: b\r\n\r\n"
        }
        return Array(text.utf8)
    }
}
