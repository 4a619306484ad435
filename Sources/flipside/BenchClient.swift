// Hands bytes to sockets by pointer, for the length of a call.
import Cryptography
import Foundation
import WebProtocols

/// One connection of the load generator: blocking to connect and to ask over HTTP, polled as a WebSocket.
final class BenchClient {
    enum Fault: Error { case refused, closed, answer(String) }

    let descriptor: Int32
    private let tls: TLSSession?
    private var decoder = MessageDecoder(
        limits: MessageLimits(frameBytes: 1 << 20, messageBytes: 1 << 20), from: .server)

    /// Connects to 127.0.0.1, with TLS if there is a context for it.
    init(port: Int, tls context: TLSContext? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        tls = context.flatMap { TLSSession($0) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Fault.refused }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        if tls != nil { try shakeHands() }
    }

    deinit { close(descriptor) }

    /// A request with a JSON body, or none; the answer's body.
    func ask(_ method: String, _ path: String, token: String? = nil, body: [String: Any]? = nil) throws -> [String: Any]
    {
        let bytes = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try write(
            Array(
                "\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(authorization)Content-Length: \(bytes.count)\r\n\r\n".utf8)
                + bytes)
        let (head, rest) = try readHead()
        guard head.hasPrefix("HTTP/1.1 20") else { throw Fault.answer(head) }
        let length = head.lowercased().components(separatedBy: "content-length: ").last?.prefix { $0.isNumber } ?? "0"
        var answer = rest
        while answer.count < Int(length) ?? 0 { answer += try read() }
        return try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any] ?? [:]
    }

    /// Becomes a WebSocket; what comes behind the answer's head is given to `take`.
    func upgrade(_ path: String) throws -> [UInt8] {
        try write(
            Array(
                ("GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Protocol: flipside.v1\r\n\r\n").utf8))
        let (head, rest) = try readHead()
        guard head.hasPrefix("HTTP/1.1 101") else { throw Fault.answer(head) }
        return rest
    }

    func say(_ text: String) throws {
        try write(Frame.masked(.text, payload: Array(text.utf8), isFinal: true, mask: 0x5A5A_5A5A))
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
            case .ping(let payload): try write(Frame.masked(.pong, payload: payload, isFinal: true, mask: 1))
            case .pong: break
            case .close: throw Fault.closed
            }
        }
    }

    /// What the socket has now; waits if there is nothing.
    func read() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Fault.closed }
        guard let tls else { return Array(buffer[..<count]) }
        return try open(Array(buffer[..<count]), tls)
    }

    private func open(_ records: [UInt8], _ tls: TLSSession) throws -> [UInt8] {
        var plain = [UInt8](repeating: 0, count: records.count + TLSSession.heldBytes)
        var sealed = [UInt8](repeating: 0, count: 65_536)
        let outcome: TLSSession.Outcome = plain.withUnsafeMutableBytes { plain in
            sealed.withUnsafeMutableBytes { sealed in
                var plain = plain.mutableBytes
                var sealed = sealed.mutableBytes
                return tls.open(records.span.bytes, into: &plain, sealed: &sealed)
            }
        }
        if outcome.sealedBytes > 0 { try writeRaw(Array(sealed[..<outcome.sealedBytes])) }
        guard outcome.state == .open else { throw Fault.closed }
        return Array(plain[..<outcome.plainBytes])
    }

    private func shakeHands() throws {
        guard let tls else { return }
        // A client speaks first: opening nothing makes its hello.
        _ = try open([], tls)
        while !tls.isEstablished { _ = try read() }
    }

    private func write(_ bytes: [UInt8]) throws {
        guard let tls else { return try writeRaw(bytes) }
        var sealed = [UInt8](repeating: 0, count: bytes.count + 4 * TLSSession.overheadBytes + TLSSession.recordBytes)
        let outcome = sealed.withUnsafeMutableBytes { sealed in
            var sealed = sealed.mutableBytes
            return tls.seal(bytes.span.bytes, into: &sealed)
        }
        guard let outcome else { throw Fault.closed }
        try writeRaw(Array(sealed[..<outcome.sealedBytes]))
    }

    private func writeRaw(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Fault.closed }
            offset += count
        }
    }

    private func readHead() throws -> (String, [UInt8]) {
        var bytes: [UInt8] = []
        while true {
            if let end = Data(bytes).range(of: Data("\r\n\r\n".utf8)) {
                return (String(decoding: bytes[..<end.lowerBound], as: UTF8.self), Array(bytes[end.upperBound...]))
            }
            bytes += try read()
        }
    }
}
