import Testing

@testable import TestSupport

@Suite("The client that tests misbehave with") struct TestClientTests {
    @Test(
        "an answer is read when it is complete, and nothing after it",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nA: b\r\n\r\nbody", 200, "body"),
            ("HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}", 404, "{}"),
            ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", 101, ""),
        ])
    func answer(text: String, status: Int, body: String) throws {
        let bytes = Array(text.utf8)
        for size in bytes.indices { #expect(try HTTPAnswer.read(Array(bytes[..<size])) == nil) }
        let (answer, size) = try #require(try HTTPAnswer.read(bytes + [1, 2]))
        #expect(answer.status == status && answer.body == Array(body.utf8) && size == bytes.count)
    }

    @Test("an invalid answer is refused", arguments: ["\r\n\r\n", "HTTP/1.1\r\n\r\n", "SSH-2.0 200\r\n\r\n"])
    func noAnswer(text: String) {
        #expect(throws: HTTPClientError.noAnswer) { try HTTPAnswer.read(Array(text.utf8)) }
    }

    @Test("it sends one request after the other, and fails without a listener")
    func asks() throws {
        let server = try EchoServer()
        let client = try HTTPClient(port: server.port, timeout: .seconds(20))
        for path in ["/one", "/two"] { #expect(try client.ask("GET", path).body == Array(path.utf8)) }
        let port = DeafPort()
        #expect(throws: HTTPClientError.self) { try HTTPClient(port: port.number, timeout: .seconds(20)) }
    }
}
