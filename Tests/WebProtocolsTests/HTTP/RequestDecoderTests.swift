import ProtocolOracles
import Testing

@testable import WebProtocols

/// Bytes of a client, with the requests and the violation in them.
struct RequestCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let limits: HTTPLimits
    let bodies: [String]
    let violation: HTTPViolation?

    init(
        _ sentence: String, _ text: String, limits: HTTPLimits = HTTPLimits(), bodies: [String] = [],
        violation: HTTPViolation? = nil
    ) {
        testDescription = sentence
        bytes = Array(text.utf8)
        (self.limits, self.bodies, self.violation) = (limits, bodies, violation)
    }

    /// Whole, byte by byte, and cut in two at every byte.
    func check() {
        let whole = RequestTranscript(decoding: bytes, limits: limits)
        #expect(whole.requests.map { String(decoding: $0.body, as: UTF8.self) } == bodies)
        #expect(whole.violation == violation)
        #expect(RequestTranscript(decoding: bytes, cutAt: Array(bytes.indices), limits: limits) == whole)
        for cut in bytes.indices {
            #expect(RequestTranscript(decoding: bytes, cutAt: [cut], limits: limits) == whole, "cut at \(cut)")
        }
    }
}

private let host = "Host: example.com\r\n"

@Suite("Requests, RFC 9112")
struct RequestDecoderTests {
    static let cases = [
        RequestCase("no body", "GET / HTTP/1.1\r\n\(host)\r\n", bodies: [""]),
        RequestCase("an empty line ahead (section 2.2)", "\r\nGET / HTTP/1.1\r\n\(host)\r\n", bodies: [""]),
        RequestCase(
            "three requests in a row",
            "GET /1 HTTP/1.1\r\n\(host)\r\n\r\nPOST /2 HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nab"
                + "GET /3 HTTP/1.1\r\n\(host)\r\n",
            bodies: ["", "ab", ""]),
        RequestCase("a length of zero", "POST / HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", bodies: [""]),
        RequestCase(
            "one length said twice (section 6.3)",
            "POST / HTTP/1.1\r\n\(host)Content-Length: 3, 3\r\nContent-Length: 03\r\n\r\nabc", bodies: ["abc"]),
        RequestCase(
            "chunks, an extension and trailers (section 7.1)",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n"
                + "4\r\nWiki\r\n6 ;a=b\r\npedia \r\nb;c=\"d\"\r\nin \r\nchunks\r\n00\r\nA: b\r\nC: d\r\n\r\n",
            bodies: ["Wikipedia in \r\nchunks"]),
        RequestCase("no chunks", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", bodies: [""]),
        RequestCase("HTTP/1.0 without a host", "GET / HTTP/1.0\r\n\r\n", bodies: [""]),
        RequestCase(
            "values with blanks around, tabs and bytes past ASCII",
            "GET / HTTP/1.1\r\n\(host)A: \t ä\tb \t\r\nB:\r\n\r\n", bodies: [""]),
        RequestCase("half a request", "GET / HTTP/1.1\r\nHost: exa"),
    ]

    @Test("Bytes give the same requests however they are cut", arguments: cases)
    func decodes(_ row: RequestCase) { row.check() }

    @Test("A request is returned whole")
    func whole() throws {
        let text = "POST /api/rooms?x=1 HTTP/1.1\r\nHost: example.com:8080\r\nX-A:  b c \r\nContent-Length: 2\r\n\r\n{}"
        let head = try RequestHead(
            method: "POST", target: "/api/rooms?x=1",
            headers: ["Host": "example.com:8080", "X-A": "b c", "Content-Length": "2"])
        let transcript = RequestTranscript(decoding: Array(text.utf8))
        #expect(transcript.requests == [HTTPRequest(head: head, body: Array("{}".utf8))])
        #expect(transcript.isIdle)
    }

    @Test("The decoder stops after a request: pipelined ones wait in the bytes")
    func oneAtATime() throws {
        let first = "GET /1 HTTP/1.1\r\n\(host)\r\n"
        let bytes = Array((first + "GET /2 HTTP/1.1\r\n\(host)\r\n").utf8)
        var (decoder, offset) = (RequestDecoder(), 0)
        #expect(try decoder.next(bytes.span.bytes, at: &offset)?.head.path == "/1")
        #expect(offset == first.utf8.count)
        #expect(decoder.isIdle)
        #expect(try decoder.next(bytes.span.bytes, at: &offset)?.head.path == "/2")
        #expect(try decoder.next(bytes.span.bytes, at: &offset) == nil)
    }

    @Test("The decoder is idle until a request begins and after it ends")
    func idle() throws {
        var (decoder, offset) = (RequestDecoder(), 0)
        #expect(decoder.isIdle)
        #expect(try decoder.next([UInt8(ascii: "G")].span.bytes, at: &offset) == nil)
        #expect(!decoder.isIdle)
    }

    @Test("A client that waits to send its body is known until the body begins (RFC 9110 section 10.1.1)")
    func expectsContinue() throws {
        let head = Array("POST / HTTP/1.1\r\n\(host)Expect: 100-Continue\r\nContent-Length: 1\r\n\r\n".utf8)
        var (decoder, offset) = (RequestDecoder(), 0)
        #expect(try decoder.next(head.span.bytes, at: &offset) == nil)
        #expect(decoder.expectsContinue)
        var told = decoder
        told.didContinue()
        #expect(!told.expectsContinue)
        offset = 0
        #expect(try decoder.next(Array("a".utf8).span.bytes, at: &offset)?.body == Array("a".utf8))
        #expect(!decoder.expectsContinue)
    }

    @Test("A client of HTTP/1.0, or one without a body, does not wait")
    func doesNotExpect() throws {
        for text in [
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n",
            "GET / HTTP/1.1\r\n\(host)Expect: 100-continue\r\n\r\n",
        ] {
            var (decoder, offset) = (RequestDecoder(), 0)
            _ = try decoder.next(Array(text.utf8).span.bytes, at: &offset)
            #expect(!decoder.expectsContinue)
        }
    }
}
