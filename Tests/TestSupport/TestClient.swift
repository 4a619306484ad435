// Hands bytes to sockets by pointer, for the length of a call.
import Glibc
import WebProtocols

/// A client on this machine that says what it is told, good or bad, and waits for what comes: at most `limit`.
public final class TestClient {
    /// What went wrong with a connection, as seen by the client.
    public enum Fault: Error, Equatable { case refused, timedOut, closed, notAMessage }

    /// Long enough for a busy machine; a test that passes never waits so long.
    private static let limit: Int32 = 20_000

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var decoder = MessageDecoder(
        limits: MessageLimits(frameBytes: 64 << 20, messageBytes: 64 << 20), from: .server)
    private var mask: UInt32 = 0x1234_5678

    /// Connects to a port of 127.0.0.1.
    public init(port: Int) throws(Fault) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw .refused }
    }

    deinit { close(descriptor) }

    /// Sends bytes as they are, all of them.
    public func send(_ bytes: [UInt8]) throws(Fault) {
        var offset = 0
        while offset < bytes.count {
            try wait(for: Int16(POLLOUT))
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .closed }
            offset += count
        }
    }

    public func send(_ text: String) throws(Fault) { try send(Array(text.utf8)) }

    /// One frame, masked as a client's are.
    public func send(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) throws(Fault) {
        mask = mask &* 1_664_525 &+ 1_013_904_223
        try send(Frame.masked(opcode, payload: payload, isFinal: isFinal, mask: mask))
    }

    /// Ends this side's half of the connection.
    public func endOutput() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Everything until the other side ends the connection.
    public func receiveAll() throws(Fault) -> [UInt8] {
        while try receiveMore() {}
        defer { received = [] }
        return received
    }

    /// The head of the next answer and its body, as its Content-Length says.
    public func receiveAnswer() throws(Fault) -> (head: String, body: [UInt8]) {
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let length =
                    head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
                if received.count >= end.upperBound + length {
                    let body = Array(received[end.upperBound..<end.upperBound + length])
                    received.removeFirst(end.upperBound + length)
                    return (head, body)
                }
            }
            guard try receiveMore() else { throw .closed }
        }
    }

    /// Asks for a WebSocket and takes the answer's head.
    @discardableResult
    public func upgrade(_ path: String, behind: [UInt8] = []) throws(Fault) -> String {
        let request =
            "GET \(path) HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        try send(Array(request.utf8) + behind)
        return try receiveAnswer().head
    }

    /// What comes next over the WebSocket; text and binary whole.
    public func receive() throws(Fault) -> Incoming {
        while true {
            if !received.isEmpty {
                var bytes = received
                var offset = 0
                do throws(FrameViolation) {
                    var typed = bytes.mutableSpan
                    var span = typed.mutableBytes
                    if let incoming = try decoder.next(&span, at: &offset) {
                        guard case .message(let kind, .inPlace(let range)) = incoming else {
                            received.removeFirst(offset)
                            return incoming
                        }
                        let payload = Array(bytes[range])
                        received.removeFirst(offset)
                        return .message(kind, .assembled(payload))
                    }
                    received = []
                } catch { throw .notAMessage }
            }
            guard try receiveMore() else { throw .closed }
        }
    }

    /// False at the end of what the other side sends.
    private func receiveMore() throws(Fault) -> Bool {
        try wait(for: Int16(POLLIN))
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        received += buffer[..<count]
        return true
    }

    private func wait(for events: Int16) throws(Fault) {
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        guard poll(&request, 1, Self.limit) == 1 else { throw .timedOut }
    }
}

extension [UInt8] {
    fileprivate func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard count >= pattern.count else { return nil }
        return (0...count - pattern.count).first { self[$0..<$0 + pattern.count].elementsEqual(pattern) }
            .map { $0..<$0 + pattern.count }
    }
}
