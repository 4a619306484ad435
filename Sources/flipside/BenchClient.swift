import Cryptography
import Foundation
import Transport
import WebProtocols

/// One connection of the load generator: asks over HTTP, then is polled as a WebSocket.
final class BenchClient {
    /// For each step: a hub under load takes its time.
    private static let timeout = Duration.seconds(60)

    private let client: HTTPClient
    private var decoder = MessageDecoder(
        limits: MessageLimits(frameBytes: 1 << 20, messageBytes: 1 << 20), from: .server)

    /// Connects to 127.0.0.1, with TLS if there is a context for it.
    init(port: Int, tls: TLSContext? = nil) throws {
        client = try HTTPClient(port: port, timeout: Self.timeout, tls: tls)
    }

    var descriptor: Int32 { client.descriptor }

    /// A request with a JSON body, or none; the answer's body.
    func ask(_ method: String, _ path: String, token: String? = nil, body: [String: Any]? = nil) throws -> [String: Any]
    {
        let bytes = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let headers = token.map { ["Authorization: Bearer \($0)"] } ?? []
        let answer = try client.ask(method, path, headers: headers, body: Array(bytes))
        guard (200..<300).contains(answer.status) else { throw CommandLineError("The hub answered: \(answer.head)") }
        return try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any] ?? [:]
    }

    /// Becomes a WebSocket; what comes behind the answer's head is given to `take`.
    func upgrade(_ path: String) throws -> [UInt8] {
        let answer = try client.upgrade(path, headers: ["Sec-WebSocket-Protocol: flipside.v1"])
        guard answer.status == 101 else { throw CommandLineError("The hub answered: \(answer.head)") }
        return takeUnread()
    }

    func say(_ text: String) throws {
        try client.send(Frame.masked(.text, payload: Array(text.utf8), isFinal: true, mask: 0x5A5A_5A5A))
    }

    /// Calls `body` with each message in `bytes`; pings are answered.
    func take(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        var bytes = bytes
        var offset = 0
        while offset < bytes.count {
            var typed = bytes.mutableSpan
            var span = typed.mutableBytes
            let incoming = try decoder.next(&span, at: &offset)
            switch incoming {
            case nil: return
            case .message(_, .inPlace(let range)): try body(String(decoding: bytes[range], as: UTF8.self))
            case .message(_, .assembled(let payload)): try body(String(decoding: payload, as: UTF8.self))
            case .ping(let payload): try client.send(Frame.masked(.pong, payload: payload, isFinal: true, mask: 1))
            // It offers no compression.
            case .pong, .message(_, .inflated): break
            case .close: throw HTTPClientError.closed
            }
        }
    }

    /// What the socket has now; waits if there is nothing.
    func read() throws -> [UInt8] {
        guard try client.receiveMore() else { throw HTTPClientError.closed }
        return takeUnread()
    }

    private func takeUnread() -> [UInt8] {
        defer { client.unread = [] }
        return client.unread
    }
}
