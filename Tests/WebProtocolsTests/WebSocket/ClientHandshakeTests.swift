import Testing

@testable import WebProtocols

@Suite("The client's opening handshake, RFC 6455 section 4.1") struct ClientHandshakeTests {
    /// The key of section 1.3.
    private static let key = Array("the sample nonce".utf8)
    private static let granted: HeaderFields = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]

    private let handshake = ClientHandshake(
        target: "/chat", host: "server.example.com", subprotocols: ["chat", "superchat"],
        headers: ["Origin": "http://example.com"], random: Self.key)

    @Test("A server grants the request")
    func request() throws {
        var (decoder, offset) = (RequestDecoder(), 0)
        let request = try #require(try decoder.next(handshake.request.span.bytes, at: &offset))
        #expect(request.head.path == "/chat" && request.head.authority == "server.example.com")
        #expect(request.head.headers["Sec-WebSocket-Key"] == "dGhlIHNhbXBsZSBub25jZQ==")
        #expect(request.head.headers["Origin"] == "http://example.com")
        let acceptance = try OpeningHandshake.accept(request.head, subprotocols: ["superchat"])
        var response = ResponseDecoder(to: "GET")
        offset = 0
        let answer = try #require(try response.next(acceptance.response.span.bytes, at: &offset))
        #expect(try handshake.check(answer) == "superchat")
    }

    @Test("A grant without a subprotocol is accepted")
    func noSubprotocol() throws {
        #expect(try handshake.check(HTTPResponse(status: 101, headers: Self.granted)) == nil)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: String
        let value: String?
        let error: ClientHandshakeError
    }

    @Test(
        "An answer that does not follow from the request is refused",
        arguments: [
            Case(testDescription: "no Upgrade", field: "Upgrade", value: nil, error: .noUpgrade(nil)),
            Case(testDescription: "another Upgrade", field: "Upgrade", value: "h2c", error: .noUpgrade("h2c")),
            Case(testDescription: "no Connection", field: "Connection", value: nil, error: .noConnectionUpgrade(nil)),
            Case(
                testDescription: "another Connection", field: "Connection", value: "keep-alive",
                error: .noConnectionUpgrade("keep-alive")),
            Case(testDescription: "no key", field: "Sec-WebSocket-Accept", value: nil, error: .wrongAcceptKey(nil)),
            Case(
                testDescription: "the key of another request", field: "Sec-WebSocket-Accept",
                value: "s3pPLMBiTxaQ9kYGzzhZRbK+xOO=", error: .wrongAcceptKey("s3pPLMBiTxaQ9kYGzzhZRbK+xOO=")),
            Case(
                testDescription: "a subprotocol that was not offered", field: "Sec-WebSocket-Protocol", value: "soap",
                error: .foreignSubprotocol("soap")),
            Case(
                testDescription: "an extension that was not offered", field: "Sec-WebSocket-Extensions",
                value: "permessage-deflate", error: .foreignExtension("permessage-deflate")),
        ])
    func refuses(_ one: Case) {
        var fields = HeaderFields()
        for field in Self.granted.fields where field.name != one.field { fields.append(field.name, field.value) }
        if let value = one.value { fields.append(one.field, value) }
        #expect(throws: one.error) { try handshake.check(HTTPResponse(status: 101, headers: fields)) }
    }

    @Test("Any other status is a refusal", arguments: [200, 301, 401, 426, 503])
    func status(_ status: Int) {
        let answer = HTTPResponse(status: status, headers: Self.granted)
        #expect(throws: ClientHandshakeError.refused(answer)) { try handshake.check(answer) }
    }

    @Test("Frames are masked as section 5.7 shows")
    func masking() {
        let (hello, key): ([UInt8], UInt32) = (Array("Hello".utf8), 0x37FA_213D)
        let masked: [UInt8] = [0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(Frame.bytes(.text, hello.span.bytes, maskingKey: key) == [0x81, 0x85] + masked)
        #expect(Frame.pong(hello).masked(with: key) == [0x8A, 0x85] + masked)
    }
}
