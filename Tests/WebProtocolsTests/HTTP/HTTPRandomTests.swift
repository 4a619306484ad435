import ProtocolOracles
import Testing

@testable import WebProtocols

@Suite("Random bytes at the decoders of HTTP")
struct HTTPRandomTests {
    @Test(
        "Random requests, some of them damaged, break no rule", arguments: 1...300 as ClosedRange<UInt64>)
    func damagedRequests(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...3, using: &generator)
        let bytes = generator.damaged(
            (0..<count).flatMap { _ in Self.requests.random(&generator) }, marks: "\r\n :\0,;%")
        let limits = HTTPLimits(headBytes: .random(in: 100...400, using: &generator), fieldCount: 6, bodyBytes: 20)
        let cuts = generator.cuts(in: bytes.count, limit: 5)
        #expect(requestFault(bytes, cutAt: cuts, limits: limits) == nil, "seed \(seed)")
    }

    @Test("Random answers, some of them damaged, break no rule", arguments: 1...300 as ClosedRange<UInt64>)
    func damagedAnswers(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = generator.damaged((0..<2).flatMap { _ in Self.answers.random(&generator) }, marks: "\r\n :\0,;1")
        let limits = HTTPLimits(headBytes: .random(in: 60...300, using: &generator), fieldCount: 4, bodyBytes: 60)
        let cuts = generator.cuts(in: bytes.count, limit: 5)
        #expect(responseFault(bytes, cutAt: cuts, limits: limits) == nil, "seed \(seed)")
    }

    private static let bodies = [
        "\r\n", "Content-Length: 5\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n5;a\r\nhello\r\n3\r\nyou\r\n0\r\nA: b\r\n\r\n",
    ]
    private static let requests = Parts(
        lines: ["GET / HTTP/1.1", "POST /a%20b?c=d+e HTTP/1.1", "HEAD http://a/b HTTP/1.0", "OPTIONS * HTTP/1.1"]
            .map { $0 + "\r\nHost: example.com" },
        fields: [
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Accept: */*, text/html",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Expect: 100-continue", "X-Empty:",
        ],
        fieldLimit: 6, ends: bodies)
    private static let answers = Parts(
        lines: [
            "HTTP/1.1 200 OK", "HTTP/1.1 101 Switching Protocols", "HTTP/1.0 404 Not Found", "HTTP/1.1 100 Continue",
            "HTTP/1.1 304 ", "HTTP/1.1 503",
        ],
        fields: [
            "Connection: Upgrade", "Upgrade: websocket", "Connection: close", "Content-Type: application/json",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "X-Empty:",
        ],
        fieldLimit: 4, ends: bodies + ["\r\nhello"])
}

/// The parts of a message: a first line, some fields, an end.
private struct Parts {
    let lines: [String]
    let fields: [String]
    let fieldLimit: Int
    /// The end of the head, with what comes before and after it.
    let ends: [String]

    func random(_ generator: inout SeededGenerator) -> [UInt8] {
        let some = fields.shuffled(using: &generator).prefix(.random(in: 0...fieldLimit, using: &generator))
        let head = [lines.randomElement(using: &generator) ?? ""] + some
        return Array((head.joined(separator: "\r\n") + "\r\n" + (ends.randomElement(using: &generator) ?? "")).utf8)
    }
}

extension SeededGenerator {
    /// `bytes` with up to two of them lost, doubled or replaced by one of `marks`.
    fileprivate mutating func damaged(_ bytes: [UInt8], marks: String) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...2, using: &self) {
            let place = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0...2, using: &self) {
            case 0: bytes[place] = Array(marks.utf8).randomElement(using: &self) ?? 0
            case 1: bytes.remove(at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        return bytes
    }
}
