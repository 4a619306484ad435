import ProtocolOracles
import Testing

@testable import WebProtocols

private func request(_ line: String = "GET / HTTP/1.1", _ fields: String..., body: String = "") -> String {
    ([line, "Host: a"] + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
}

private func chunked(_ body: String) -> String {
    request("POST / HTTP/1.1", "Transfer-Encoding: chunked", body: body)
}

@Suite("Requests that are refused, RFC 9112")
struct RequestRefusalTests {
    static let lines = [
        RequestCase("no method", request(" / HTTP/1.1"), violation: .malformedRequestLine),
        RequestCase("a method that is no token", request("G(T / HTTP/1.1"), violation: .malformedRequestLine),
        RequestCase("no target", request("GET HTTP/1.1"), violation: .malformedRequestLine),
        RequestCase("two spaces", request("GET  / HTTP/1.1"), violation: .malformedRequestLine),
        RequestCase("a space at the end", request("GET / HTTP/1.1 "), violation: .malformedRequestLine),
        RequestCase("HTTP/0.9", request("GET /"), violation: .malformedRequestLine),
        RequestCase("a version in small letters", request("GET / http/1.1"), violation: .malformedRequestLine),
        RequestCase("a version of two digits", request("GET / HTTP/1.10"), violation: .malformedRequestLine),
        RequestCase("HTTP/2", request("GET / HTTP/2.0"), violation: .unsupportedVersion("HTTP/2.0")),
        RequestCase(
            "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", violation: .unsupportedVersion("HTTP/2.0")),
        RequestCase("two empty lines ahead", "\r\n\r\n" + request(), violation: .malformedRequestLine),
        RequestCase("a client hello of TLS", "\u{16}\u{3}\u{1}", violation: .controlCharacter(0x16)),
        RequestCase("LF alone behind the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", violation: .bareLineFeed),
        RequestCase("LF alone ahead of everything", "\nGET / HTTP/1.1\r\n", violation: .bareLineFeed),
        RequestCase("CONNECT", request("CONNECT a:443 HTTP/1.1"), violation: .unsupportedMethod("CONNECT")),
    ]

    static let fields = [
        RequestCase("CR alone in a value", request("GET / HTTP/1.1", "A: b\rc"), violation: .bareCarriageReturn),
        RequestCase("LF alone in a value", request("GET / HTTP/1.1", "A: b\nc"), violation: .bareLineFeed),
        RequestCase("two CR", "GET / HTTP/1.1\r\r\n", violation: .bareCarriageReturn),
        RequestCase("NUL in a value", request("GET / HTTP/1.1", "A: b\0c"), violation: .controlCharacter(0)),
        RequestCase("DEL in a value", request("GET / HTTP/1.1", "A: b\u{7F}c"), violation: .controlCharacter(0x7F)),
        RequestCase("a field on two lines", request("GET / HTTP/1.1", "A: b", " c"), violation: .foldedField),
        RequestCase("a blank ahead of the first field", "GET / HTTP/1.1\r\n A: b\r\n", violation: .foldedField),
        RequestCase("a blank ahead of the colon", request("GET / HTTP/1.1", "A : b"), violation: .malformedField),
        RequestCase("no colon", request("GET / HTTP/1.1", "A"), violation: .malformedField),
        RequestCase("no name", request("GET / HTTP/1.1", ": b"), violation: .malformedField),
        RequestCase("a name past ASCII", request("GET / HTTP/1.1", "Ä: b"), violation: .malformedField),
        RequestCase("no Host", "GET / HTTP/1.1\r\n\r\n", violation: .missingHost),
        RequestCase("two hosts", request("GET / HTTP/1.1", "Host: a"), violation: .severalHosts),
        RequestCase("a host that is none", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", violation: .malformedHost),
        RequestCase("a host with a user", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", violation: .malformedHost),
        RequestCase(
            "an expectation nobody knows", request("GET / HTTP/1.1", "Expect: 200-ok"),
            violation: .unsupportedExpectation),
    ]

    static let framing = [
        RequestCase(
            "a length that is no number", request("POST / HTTP/1.1", "Content-Length: 1a"),
            violation: .malformedLength),
        RequestCase(
            "a length with a sign", request("POST / HTTP/1.1", "Content-Length: +1"), violation: .malformedLength),
        RequestCase("a negative length", request("POST / HTTP/1.1", "Content-Length: -1"), violation: .malformedLength),
        RequestCase("an empty length", request("POST / HTTP/1.1", "Content-Length:"), violation: .malformedLength),
        RequestCase(
            "a list of lengths with a gap", request("POST / HTTP/1.1", "Content-Length: 1,,1"),
            violation: .malformedLength),
        RequestCase(
            "lengths that differ", request("POST / HTTP/1.1", "Content-Length: 1", "Content-Length: 2"),
            violation: .conflictingLengths),
        RequestCase(
            "lengths that differ in one field", request("POST / HTTP/1.1", "Content-Length: 1, 2"),
            violation: .conflictingLengths),
        RequestCase(
            "a length and chunks", request("POST / HTTP/1.1", "Content-Length: 1", "Transfer-Encoding: chunked"),
            violation: .lengthAndTransferCoding),
        RequestCase(
            "chunks in HTTP/1.0", request("POST / HTTP/1.0", "Transfer-Encoding: chunked"),
            violation: .transferCodingInOldVersion),
        RequestCase(
            "a coding nobody knows", request("POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked"),
            violation: .unsupportedTransferCoding),
        RequestCase(
            "a last coding that is not chunked", request("POST / HTTP/1.1", "Transfer-Encoding: chunked, gzip"),
            violation: .transferCodingWithoutEnd),
        RequestCase(
            "something like chunks", request("POST / HTTP/1.1", "Transfer-Encoding: xchunked"),
            violation: .transferCodingWithoutEnd),
        RequestCase(
            "chunks with a parameter", request("POST / HTTP/1.1", "Transfer-Encoding: chunked;q=1"),
            violation: .transferCodingWithoutEnd),
        RequestCase(
            "chunked twice", request("POST / HTTP/1.1", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
            violation: .unsupportedTransferCoding),
        RequestCase("a chunk without a size", chunked("\r\n"), violation: .malformedChunk),
        RequestCase("a chunk whose size is no number", chunked("x\r\n"), violation: .malformedChunk),
        RequestCase("a chunk with a sign", chunked("-1\r\n"), violation: .malformedChunk),
        RequestCase("a chunk in the manner of C", chunked("0x1\r\na\r\n"), violation: .malformedChunk),
        RequestCase("blanks behind a chunk's size", chunked("1 \r\na\r\n"), violation: .malformedChunk),
        RequestCase("a chunk longer than its size", chunked("1\r\nab\r\n"), violation: .malformedChunk),
        RequestCase("LF alone behind a size", chunked("1\na\r\n"), violation: .bareLineFeed),
        RequestCase("LF alone behind a chunk", chunked("1\r\na\n"), violation: .bareLineFeed),
        RequestCase("a control in a trailer", chunked("0\r\nA: \u{1}\r\n\r\n"), violation: .controlCharacter(1)),
        RequestCase(
            "a chunk of 2^64 bytes and one more", chunked("10000000000000001\r\na"),
            violation: .bodyTooLong(limit: 65_536)),
        RequestCase(
            "a length of 2^64", request("POST / HTTP/1.1", "Content-Length: 18446744073709551616"),
            violation: .bodyTooLong(limit: 65_536)),
    ]

    @Test("A violation is found however the bytes are cut", arguments: lines + fields + framing)
    func refuses(_ row: RequestCase) { row.check() }

    @Test("A good request is returned before the violation after it")
    func goodFirst() {
        RequestCase("", request() + request("GET"), bodies: [""], violation: .malformedRequestLine).check()
    }

    @Test("A decoder that has thrown ignores everything")
    func staysRefused() throws {
        let bytes = Array(("\n" + request()).utf8)
        var (decoder, offset) = (RequestDecoder(), 0)
        #expect(throws: HTTPViolation.bareLineFeed) { try decoder.next(bytes.span.bytes, at: &offset) }
        offset = 1
        #expect(try decoder.next(bytes.span.bytes, at: &offset) == nil)
        #expect(!decoder.isIdle)
    }

    @Test(
        "A violation has a status that the client can act on",
        arguments: [
            (.malformedRequestLine, 400), (.bareLineFeed, 400), (.lengthAndTransferCoding, 400), (.missingHost, 400),
            (.transferCodingWithoutEnd, 400),
            (.bodyTooLong(limit: 1), 413), (.targetTooLong(limit: 1), 414), (.unsupportedExpectation, 417),
            (.headTooLong(limit: 1), 431), (.tooManyFields(limit: 1), 431), (.unsupportedMethod("CONNECT"), 501),
            (.methodTooLong(limit: 1), 501), (.unsupportedTransferCoding, 501), (.unsupportedVersion("HTTP/2.0"), 505),
        ] as [(HTTPViolation, Int)])
    func status(violation: HTTPViolation, status: Int) {
        #expect(violation.status == status)
        #expect(violation.response.status == status)
    }
}

@Suite("Limits of requests: just within, and one past")
struct RequestLimitTests {
    @Test("A head")
    func head() {
        let text = request("GET / HTTP/1.1", "A: b")
        let size = text.utf8.count
        RequestCase("", text, limits: HTTPLimits(headBytes: size), bodies: [""]).check()
        RequestCase("", text, limits: HTTPLimits(headBytes: size - 1), violation: .headTooLong(limit: size - 1)).check()
    }

    @Test("Each request's head is counted separately, without an empty line before it")
    func headCountedAnew() {
        let text = request()
        RequestCase("", "\r\n" + text + text, limits: HTTPLimits(headBytes: text.utf8.count), bodies: ["", ""]).check()
    }

    @Test("Fields")
    func fields() {
        let text = request("GET / HTTP/1.1", "A: b", "A: b")
        RequestCase("", text, limits: HTTPLimits(fieldCount: 3), bodies: [""]).check()
        RequestCase("", text, limits: HTTPLimits(fieldCount: 2), violation: .tooManyFields(limit: 2)).check()
    }

    @Test("A target")
    func target() {
        let limits = HTTPLimits(targetBytes: 5)
        RequestCase("", request("GET /1234 HTTP/1.1"), limits: limits, bodies: [""]).check()
        RequestCase("", request("GET /12345 HTTP/1.1"), limits: limits, violation: .targetTooLong(limit: 5)).check()
    }

    @Test("A target without an end is refused before it fills the head")
    func endlessTarget() {
        let text = "GET /" + String(repeating: "a", count: 100)
        RequestCase("", text, limits: HTTPLimits(targetBytes: 5), violation: .targetTooLong(limit: 5)).check()
    }

    @Test("A method")
    func method() {
        RequestCase("", request(String(repeating: "M", count: 32) + " / HTTP/1.1"), bodies: [""]).check()
        RequestCase(
            "", request(String(repeating: "M", count: 33) + " / HTTP/1.1"), violation: .methodTooLong(limit: 32)
        ).check()
    }

    @Test("A body with a length")
    func body() {
        let limits = HTTPLimits(bodyBytes: 3)
        RequestCase("", request("POST / HTTP/1.1", "Content-Length: 3", body: "abc"), limits: limits, bodies: ["abc"])
            .check()
        RequestCase(
            "", request("POST / HTTP/1.1", "Content-Length: 4", body: "abcd"), limits: limits,
            violation: .bodyTooLong(limit: 3)
        ).check()
    }

    @Test("A body in chunks")
    func chunks() {
        let limits = HTTPLimits(bodyBytes: 3)
        RequestCase("", chunked("2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"), limits: limits, bodies: ["abc"]).check()
        RequestCase("", chunked("2\r\nab\r\n2\r\ncd\r\n"), limits: limits, violation: .bodyTooLong(limit: 3)).check()
    }

    @Test("The line before a chunk")
    func chunkLine() {
        let fits = String(repeating: "0", count: 253) + "1\r\n"
        RequestCase("", chunked(fits + "a\r\n0\r\n\r\n"), bodies: ["a"]).check()
        RequestCase("", chunked("0" + fits + "a\r\n0\r\n\r\n"), violation: .malformedChunk).check()
    }

    @Test("Trailers")
    func trailers() {
        let limits = HTTPLimits(headBytes: 100)
        let fits = "T: " + String(repeating: "t", count: 93) + "\r\n"
        RequestCase("", chunked("0\r\n" + fits + "\r\n"), limits: limits, bodies: [""]).check()
        RequestCase("", chunked("0\r\nT" + fits + "\r\n"), limits: limits, violation: .headTooLong(limit: 100)).check()
    }
}
