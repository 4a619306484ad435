import Testing
import WebProtocols

@Suite("The coding gzip") struct GzipTests {
    @Test(
        "is accepted or not, RFC 9110 section 12.5.3",
        arguments: [
            ("gzip", true), ("deflate, gzip;q=1.0", true), ("GZIP", true), ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
            ("*", true), ("gzip;q=0.001", true), ("gzip ; q=0.5", true), ("*;q=0, gzip", true), ("", false),
            ("identity", false), ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false),
            ("gzip;q=0, *", false), ("xgzip", false), ("x-gzip", true), ("x-gzip;q=0, *", false),
        ])
    func accepts(_ value: String, isAccepted: Bool) throws {
        var decoder = RequestDecoder(limits: HTTPLimits())
        var offset = 0
        let bytes = Array("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: \(value)\r\n\r\n".utf8)
        let head = try #require(try decoder.next(bytes.span.bytes, at: &offset)).head
        #expect(head.accepts(coding: "gzip") == isAccepted)
    }

    @Test("is not taken for granted")
    func silence() throws {
        var decoder = RequestDecoder(limits: HTTPLimits())
        var offset = 0
        let bytes = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        #expect(try decoder.next(bytes.span.bytes, at: &offset)?.head.accepts(coding: "gzip") == false)
    }

    @Test("makes a text of one word much shorter, and begins as RFC 1952 says", arguments: [0, 1, 100_000])
    func compresses(count: Int) throws {
        let packed = try #require(Gzip.compress([UInt8](repeating: 7, count: count)))
        #expect(packed.prefix(3) == [0x1F, 0x8B, 8])
        #expect(packed.count < 200)
        // The last four bytes are the length of the uncompressed body.
        #expect(packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == count)
    }

    @Test("makes the same body from a text in any parts", arguments: [1, 7, 1_000, 60_000])
    func parts(size: Int) throws {
        let text = (0..<20_000).flatMap { Array("\($0 * $0 % 977),".utf8) }
        let gzip = try #require(Gzip(.quick))
        let whole = try #require(Gzip(.quick))
        var body: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: size) {
            body += gzip.compress(Array(text[start..<min(start + size, text.count)]), isLast: false)
        }
        body += gzip.compress([], isLast: true)
        #expect(body == whole.compress(text, isLast: true))
        #expect(body.count < text.count / 2)
    }

    @Test("gives the length of a body made from pieces", arguments: [0, 1, 5_000])
    func spliced(count: Int) throws {
        let piece = (0..<count).map { UInt8($0 * $0 % 251) }
        let packed = try #require(SplicedGzip(front: piece, back: piece)?.body(with: piece))
        #expect(packed.prefix(3) == [0x1F, 0x8B, 8])
        #expect(packed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == 3 * count)
        // Programs that unpack it check that it is right.
        let whole = try #require(Gzip.compress(piece + piece + piece))
        #expect(packed.suffix(8) == whole.suffix(8))
    }
}
