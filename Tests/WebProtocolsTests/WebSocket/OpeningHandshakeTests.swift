import Testing

@testable import WebProtocols

/// A request for a WebSocket that differs from the one of RFC 6455 section 1.3 in some fields.
struct HandshakeCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var method = "GET"
    var minorVersion = 1
    var headers: HeaderFields = [
        "Host": "server.example.com", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Origin": "http://example.com",
        "Sec-WebSocket-Protocol": "chat, superchat", "Sec-WebSocket-Version": "13",
    ]
    var refusal: HandshakeRefusal?
    var status = 101

    init(
        _ sentence: String, method: String = "GET", minorVersion: Int = 1, set: [(String, String)] = [],
        add: [(String, String)] = [], without: [String] = [], refused refusal: HandshakeRefusal? = nil,
        _ status: Int = 101
    ) {
        testDescription = sentence
        (self.method, self.minorVersion, self.refusal, self.status) = (method, minorVersion, refusal, status)
        var kept = HeaderFields()
        for field in headers.fields where !without.contains(field.name) { kept.append(field.name, field.value) }
        for (name, value) in set { kept.set(name, value) }
        for (name, value) in add { kept.append(name, value) }
        headers = kept
    }

    func head() throws -> RequestHead {
        try RequestHead(method: method, target: "/chat", minorVersion: minorVersion, headers: headers)
    }
}

@Suite("Opening handshake, RFC 6455 section 4.2")
struct OpeningHandshakeTests {
    @Test("The example of section 1.3 gets its answer")
    func example() throws {
        let acceptance = try OpeningHandshake.accept(HandshakeCase("the example").head(), subprotocols: ["chat"])
        let expected = """
            HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: chat\r\n\r\n
            """
        #expect(acceptance == Acceptance(response: Array(expected.utf8), subprotocol: "chat", compression: nil))
        #expect(OpeningHandshake.acceptKey(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(
        "These are accepted",
        arguments: [
            HandshakeCase("tokens in any case", set: [("Upgrade", "WebSocket"), ("Connection", "upgrade")]),
            HandshakeCase(
                "tokens within lists", set: [("Upgrade", "h2c, websocket"), ("Connection", "keep-alive , Upgrade")]),
            HandshakeCase(
                "lists over several fields", set: [("Connection", "keep-alive")], add: [("connection", "Upgrade")]),
            HandshakeCase("no subprotocols", without: ["Sec-WebSocket-Protocol"]),
            HandshakeCase("an empty list of subprotocols", set: [("Sec-WebSocket-Protocol", " , ")]),
            HandshakeCase("extensions nobody speaks here", add: [("Sec-WebSocket-Extensions", "permessage-bzip2")]),
        ])
    func accepts(_ row: HandshakeCase) throws {
        let acceptance = try OpeningHandshake.accept(row.head())
        #expect(acceptance.subprotocol == nil)
        #expect(!String(decoding: acceptance.response, as: UTF8.self).contains("Sec-WebSocket-Protocol"))
        #expect(!String(decoding: acceptance.response, as: UTF8.self).contains("Sec-WebSocket-Extensions"))
    }

    @Test(
        "These are refused, each with its status",
        arguments: [
            HandshakeCase("another method", method: "POST", refused: .methodNotGet("POST"), 405),
            HandshakeCase("HEAD", method: "HEAD", refused: .methodNotGet("HEAD"), 405),
            HandshakeCase("HTTP/1.0", minorVersion: 0, refused: .oldHTTPVersion, 505),
            HandshakeCase("no Host", without: ["Host"], refused: .missingHost, 400),
            HandshakeCase("no Upgrade", without: ["Upgrade"], refused: .upgradeRequired, 426),
            HandshakeCase(
                "an upgrade to something else", set: [("Upgrade", "websockets")], refused: .upgradeRequired, 426),
            HandshakeCase("no Connection", without: ["Connection"], refused: .missingConnectionUpgrade, 400),
            HandshakeCase(
                "Connection without Upgrade", set: [("Connection", "keep-alive")], refused: .missingConnectionUpgrade,
                400),
            HandshakeCase("no version", without: ["Sec-WebSocket-Version"], refused: .unsupportedVersion(nil), 426),
            HandshakeCase("version 8", set: [("Sec-WebSocket-Version", "8")], refused: .unsupportedVersion("8"), 426),
            HandshakeCase(
                "two versions", add: [("Sec-WebSocket-Version", "8")], refused: .unsupportedVersion("13, 8"), 426),
            HandshakeCase("no key", without: ["Sec-WebSocket-Key"], refused: .missingKey, 400),
            HandshakeCase(
                "two keys", add: [("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")], refused: .severalKeys, 400),
            HandshakeCase("an empty key", set: [("Sec-WebSocket-Key", "")], refused: .malformedKey, 400),
            HandshakeCase(
                "a key of 15 bytes", set: [("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAA")], refused: .malformedKey, 400),
            HandshakeCase(
                "a key of 17 bytes", set: [("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAAA=")], refused: .malformedKey,
                400),
            HandshakeCase(
                "a key without padding", set: [("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ")], refused: .malformedKey,
                400),
            HandshakeCase(
                "a key that is not base64", set: [("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j!Q==")],
                refused: .malformedKey,
                400),
            HandshakeCase(
                "a subprotocol that is no token", set: [("Sec-WebSocket-Protocol", "chat, a b")],
                refused: .malformedSubprotocols, 400),
        ])
    func refuses(_ row: HandshakeCase) throws {
        let head = try row.head()
        let refusal = try #require(row.refusal)
        #expect(throws: refusal) { try OpeningHandshake.accept(head, subprotocols: ["chat"]) }
        #expect(refusal.response.status == row.status)
        #expect(refusal.response.headers["Content-Type"] == "application/problem+json")
    }

    @Test("A refusal names what would be accepted")
    func helps() {
        #expect(HandshakeRefusal.methodNotGet("POST").response.headers["Allow"] == "GET")
        #expect(HandshakeRefusal.unsupportedVersion("8").response.headers["Sec-WebSocket-Version"] == "13")
        #expect(HandshakeRefusal.upgradeRequired.response.headers["Upgrade"] == "websocket")
        #expect(HandshakeRefusal.upgradeRequired.response.headers["Connection"] == "Upgrade")
    }

    @Test(
        "The first of the server's subprotocols that the client offers is chosen",
        arguments: [
            (["superchat", "chat"], "superchat"), (["none", "chat", "superchat"], "chat"), (["none"], nil), ([], nil),
            (["Chat"], nil),
        ] as [([String], String?)])
    func subprotocols(spoken: [String], agreed: String?) throws {
        let head = try HandshakeCase("the example").head()
        #expect(try OpeningHandshake.accept(head, subprotocols: spoken).subprotocol == agreed)
    }
}
