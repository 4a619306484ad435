import Testing

@testable import WebProtocols

@Suite("Responses, RFC 9112")
struct HTTPResponseTests {
    static let page = HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: Array("hello".utf8))

    private func head(_ method: String = "GET", minorVersion: Int = 1) throws -> RequestHead {
        try RequestHead(method: method, target: "/", minorVersion: minorVersion, headers: ["Host": "a"])
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A response has its fields, its length and its body")
    func get() throws {
        #expect(
            text(Self.page.encode(for: try head(), keepsAlive: true))
                == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
    }

    @Test("HEAD gets the length and no body")
    func headOnly() throws {
        #expect(
            text(Self.page.encode(for: try head("HEAD"), keepsAlive: true))
                == "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n")
    }

    @Test("The Connection field says what is not the default")
    func connection() throws {
        let response = HTTPResponse(status: 200)
        let start = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"
        #expect(text(response.encode(for: nil, keepsAlive: false)) == start + "Connection: close\r\n\r\n")
        let old = try head(minorVersion: 0)
        #expect(text(response.encode(for: old, keepsAlive: true)) == start + "Connection: keep-alive\r\n\r\n")
        #expect(text(response.encode(for: old, keepsAlive: false)) == start + "Connection: close\r\n\r\n")
    }

    @Test("Statuses without a body have no length either", arguments: [204, 304])
    func bodiless(status: Int) throws {
        let bytes = HTTPResponse(status: status, body: [1]).encode(for: try head(), keepsAlive: true)
        #expect(text(bytes) == "HTTP/1.1 \(status) \(HTTPStatus.phrase(status))\r\n\r\n")
    }

    @Test("A status without a name keeps the space before it")
    func unnamed() {
        #expect(text(HTTPResponse(status: 299).encode(for: nil, keepsAlive: true)).hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test("A body of unknown length is sent in chunks")
    func chunks() throws {
        let framing = StreamFraming(for: try head())
        let start = HTTPResponse(status: 200).encodeHead(framing: framing, keepsAlive: true)
        #expect(text(start) == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(text(framing.piece(Array("seventeen bytes..".utf8))) == "11\r\nseventeen bytes..\r\n")
        #expect(framing.piece([]).isEmpty)
        #expect(text(framing.end) == "0\r\n\r\n")
    }

    @Test("To HTTP/1.0 it is sent until the connection ends")
    func untilEnd() throws {
        let framing = StreamFraming(for: try head(minorVersion: 0))
        let start = HTTPResponse(status: 200).encodeHead(framing: framing, keepsAlive: true)
        #expect(text(start) == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        #expect(text(framing.piece(Array("ab".utf8))) == "ab")
        #expect(framing.end.isEmpty)
    }

    @Test("To HEAD nothing of it is sent")
    func none() throws {
        let framing = StreamFraming(for: try head("HEAD"))
        #expect(framing.piece([1]).isEmpty && framing.end.isEmpty)
    }

    @Test("A problem with any sentence is JSON (RFC 9457, RFC 8259 section 7)")
    func problem() {
        let problem = HTTPResponse.problem(status: 404, code: "no-room", sentence: "No \"ä\\\n\u{1}\".")
        #expect(
            problem.headers == ["Content-Type": "application/problem+json", "X-Content-Type-Options": "nosniff"])
        #expect(
            text(problem.body) == """
                {"type":"about:blank","title":"Not Found","status":404,"code":"no-room",\
                "detail":"No \\"ä\\\\\\u000a\\u0001\\"."}
                """)
    }
}
