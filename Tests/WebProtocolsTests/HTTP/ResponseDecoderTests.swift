import ProtocolOracles
import Testing

@testable import WebProtocols

@Suite("Answers, RFC 9112 sections 4 and 6.3") struct ResponseDecoderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        let text: String
        /// The bytes after `text` that do not belong to the answer.
        var rest = ""
        var answer: HTTPResponse?
        var endsConnection = false
        var violation: ResponseViolation?

        init(
            _ sentence: String, to method: String = "GET", _ text: String, rest: String = "", _ status: Int? = nil,
            _ headers: HeaderFields = [:], body: String = "", endsConnection: Bool = false,
            refused violation: ResponseViolation? = nil
        ) {
            (testDescription, self.method, self.text, self.rest) = (sentence, method, text, rest)
            answer = status.map { HTTPResponse(status: $0, headers: headers, body: Array(body.utf8)) }
            (self.endsConnection, self.violation) = (endsConnection, violation)
        }
    }

    private static let limits = HTTPLimits(headBytes: 200, fieldCount: 3, bodyBytes: 8)

    @Test(
        "An answer is read to its end and no further, however its bytes are cut",
        arguments: [
            Case(
                "a length", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", rest: "more", 200,
                ["Content-Length": "4"], body: "body"),
            Case(
                "no body for its length", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", rest: "more", 200,
                ["Content-Length": "0"]),
            Case(
                "chunks",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nbod\r\n1\r\ny\r\n0\r\nT: t\r\n\r\n",
                rest: "more", 200, ["Transfer-Encoding": "chunked"], body: "body"),
            Case("no phrase", "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n", 404, ["Content-Length": "0"]),
            Case(
                "no blank after the status", "HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n", 404, ["Content-Length": "0"]),
            Case(
                "interim answers", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 \r\nA: b\r\n\r\nHTTP/1.1 204 \r\n\r\n",
                rest: "more", 204),
            Case(
                "another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", rest: "\u{1}",
                101,
                ["Upgrade": "websocket"]),
            Case(
                "to HEAD", to: "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n", rest: "more", 200,
                ["Content-Length": "400"]),
            Case(
                "not modified", "HTTP/1.1 304 \r\nContent-Length: 4\r\n\r\n", rest: "more", 304, ["Content-Length": "4"]
            ),
            Case("until the end", "HTTP/1.1 200 OK\r\n\r\nbody", 200, body: "body", endsConnection: true),
            Case("of HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n", 200, endsConnection: true),
        ])
    func reads(_ one: Case) throws {
        let bytes = Array((one.text + one.rest).utf8)
        for cut in bytes.indices {
            var decoder = ResponseDecoder(to: one.method, limits: Self.limits)
            var (answer, end): (HTTPResponse?, Int) = (nil, 0)
            for part in [0..<cut, cut..<bytes.count] where answer == nil {
                var offset = 0
                answer = try decoder.read(bytes, part, &offset)
                end = offset
            }
            if answer == nil { answer = try decoder.connectionEnded() }
            #expect(answer == one.answer && end == one.text.utf8.count)
            #expect(decoder.keepsAlive != one.endsConnection)
        }
    }

    @Test(
        "An invalid or too long answer is refused wherever it is cut",
        arguments: [
            Case("no HTTP", "SSH-2.0-x\r\n", refused: .malformedStatusLine),
            Case("HTTP/2", "HTTP/2 200\r\n", refused: .unsupportedVersion("HTTP/2")),
            Case("a status of two digits", "HTTP/1.1 20 OK\r\n", refused: .malformedStatusLine),
            Case("a status of four digits", "HTTP/1.1 2000\r\n", refused: .malformedStatusLine),
            Case("a status below 100", "HTTP/1.1 099 \r\n", refused: .malformedStatusLine),
            Case("a bare line feed", "HTTP/1.1 200 OK\n", refused: .malformed(.bareLineFeed)),
            Case("a folded field", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n", refused: .malformed(.foldedField)),
            Case(
                "two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                refused: .malformed(.conflictingLengths)),
            Case(
                "a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                refused: .malformed(.lengthAndTransferCoding)),
            Case(
                "a bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
                refused: .malformed(.malformedChunk)),
            Case(
                "nine bytes by their length", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
                refused: .bodyTooLong(limit: 8)),
            Case(
                "nine bytes in chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n4\r\n",
                refused: .bodyTooLong(limit: 8)),
            Case("nine bytes until the end", "HTTP/1.1 200 OK\r\n\r\n123456789", refused: .bodyTooLong(limit: 8)),
            Case(
                "a long head", "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 200),
                refused: .headTooLong(limit: 200)),
            Case(
                "four fields", "HTTP/1.1 200 OK\r\nA:\r\nB:\r\nC:\r\nD:\r\n", refused: .tooManyFields(limit: 3)),
            Case(
                "endless interim answers", String(repeating: "HTTP/1.1 100 \r\n\r\n", count: 9),
                refused: .tooManyInterim(limit: 8)),
        ])
    func refuses(_ one: Case) throws {
        let violation = try #require(one.violation)
        let bytes = Array(one.text.utf8)
        for cut in bytes.indices {
            var decoder = ResponseDecoder(to: one.method, limits: Self.limits)
            #expect(throws: violation) {
                for part in [0..<cut, cut..<bytes.count] {
                    var offset = 0
                    let answer = try decoder.read(bytes, part, &offset)
                    #expect(answer == nil)
                }
            }
            var offset = 0
            #expect(try decoder.read(bytes, 0..<bytes.count, &offset) == nil, "behind a violation nothing comes")
        }
    }

    @Test(
        "An answer that ends early is reported as cut",
        arguments: ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1"])
    func cut(text: String) throws {
        var (decoder, offset) = (ResponseDecoder(to: "GET"), 0)
        #expect(try decoder.read(Array(text.utf8), 0..<text.utf8.count, &offset) == nil)
        #expect(throws: ResponseViolation.cut) { try decoder.connectionEnded() }
    }

    @Test("The decoder reads our own answers", arguments: [true, false])
    func roundTrip(keepsAlive: Bool) throws {
        let problem = HTTPResponse.problem(status: 404, code: "not-found", sentence: "There is nothing.")
        let bytes = problem.encode(for: nil, keepsAlive: keepsAlive)
        var (decoder, offset) = (ResponseDecoder(to: "GET"), 0)
        let answer = try #require(try decoder.read(bytes, 0..<bytes.count, &offset))
        #expect(answer.status == 404 && answer.body == problem.body && offset == bytes.count)
        #expect(decoder.keepsAlive == keepsAlive)
    }
}

extension ResponseDecoder {
    /// Reads the bytes in `part` and sets `offset` to the decoder's place in all bytes.
    fileprivate mutating func read(
        _ bytes: [UInt8], _ part: Range<Int>, _ offset: inout Int
    ) throws(ResponseViolation) -> HTTPResponse? {
        let fed = Array(bytes[part])
        var taken = 0
        defer { offset = part.lowerBound + taken }
        return try next(fed.span.bytes, at: &taken)
    }
}
