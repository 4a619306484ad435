import WebProtocols

/// A client on this machine that sends what it is told, good or bad, and waits at most `timeout` for answers.
public final class TestClient {
    /// Long enough for a busy machine. A passing test never waits so long.
    private static let timeout = Duration.seconds(60)

    private let client: HTTPClient
    private var decoder = MessageDecoder(
        limits: MessageLimits(frameBytes: 64 << 20, messageBytes: 64 << 20), from: .server)
    private var mask: UInt32 = 0x1234_5678

    /// Connects to a port of 127.0.0.1.
    public init(port: Int) throws(HTTPClientError) { client = try HTTPClient(port: port, timeout: Self.timeout) }

    /// Sends all bytes as they are.
    public func send(_ bytes: [UInt8]) throws(HTTPClientError) { try client.send(bytes) }

    public func send(_ text: String) throws(HTTPClientError) { try send(Array(text.utf8)) }

    /// One frame, masked as a client's are.
    public func send(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) throws(HTTPClientError) {
        mask = mask &* 1_664_525 &+ 1_013_904_223
        try send(Frame.masked(opcode, payload: payload, isFinal: isFinal, mask: mask))
    }

    /// Closes this side's half of the connection.
    public func endOutput() { client.endOutput() }

    /// Waits until the other side's system has all that was sent, read or not.
    public func waitForDelivery() { client.waitForDelivery() }

    /// Everything until the other side ends the connection.
    public func receiveAll() throws(HTTPClientError) -> [UInt8] {
        while try receiveMore() {}
        defer { client.unread = [] }
        return client.unread
    }

    /// The next answer, with the body that its Content-Length announces.
    public func receiveAnswer() throws(HTTPClientError) -> HTTPAnswer { try client.receiveAnswer() }

    /// Asks for a WebSocket and reads the head of the answer. `headers`: lines without their ends.
    @discardableResult
    public func upgrade(
        _ path: String, headers: [String] = [], behind: [UInt8] = []
    ) throws(HTTPClientError) -> String {
        try client.upgrade(path, headers: headers, behind: behind).head
    }

    /// The next incoming item of the WebSocket, with text and binary whole. Throws `FrameViolation` or
    /// `HTTPClientError`.
    public func receive() throws -> Incoming {
        while true {
            if !client.unread.isEmpty {
                var bytes = client.unread
                var offset = 0
                var typed = bytes.mutableSpan
                var span = typed.mutableBytes
                let incoming = try decoder.next(&span, at: &offset)
                if case .message(let kind, .inPlace(let range)) = incoming {
                    let payload = Array(bytes[range])
                    client.unread.removeFirst(offset)
                    return .message(kind, .assembled(payload))
                }
                if let incoming {
                    client.unread.removeFirst(offset)
                    return incoming
                }
                client.unread = []
            }
            guard try receiveMore() else { throw HTTPClientError.closed }
        }
    }

    /// False at the end of the other side's data, however it ends.
    private func receiveMore() throws(HTTPClientError) -> Bool {
        do throws(HTTPClientError) { return try client.receiveMore() } catch {
            if case .system = error { return false }
            throw error
        }
    }
}
