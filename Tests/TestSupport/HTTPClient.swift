// Passes bytes to a socket by pointer, for the length of a call.
import Glibc

/// A connection to a server on this machine, HTTP/1.1 until it is upgraded. Each call blocks. It only accepts answers
/// with a Content-Length.
public final class HTTPClient {
    /// Far above any single answer.
    public static let answerLimitBytes = 16 << 20

    private let descriptor: Int32
    /// Bytes that have arrived but were not used yet.
    public var unread: [UInt8] = []
    private let port: Int

    /// Connects to a port of 127.0.0.1. `timeout`: for each step.
    public init(port: Int, timeout: Duration) throws(HTTPClientError) {
        self.port = port
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno) }
        var limit = timeval(tv_sec: Int(timeout.components.seconds), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] { setsockopt(descriptor, SOL_SOCKET, option, &limit, size) }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw .system(errno) }
    }

    deinit { close(descriptor) }

    /// `headers`: lines without their ends.
    public func ask(
        _ method: String, _ path: String, headers: [String] = [], body: [UInt8] = []
    ) throws(HTTPClientError) -> HTTPAnswer {
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Length: \(body.count)"] + headers
        try send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        return try receiveAnswer()
    }

    /// Asks for a WebSocket. `behind` is sent together with the request.
    public func upgrade(
        _ path: String, headers: [String] = [], behind: [UInt8] = []
    ) throws(HTTPClientError) -> HTTPAnswer {
        let lines =
            [
                "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            ] + headers
        try send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + behind)
        return try receiveAnswer()
    }

    /// The next answer. Bytes after it stay in `unread`.
    public func receiveAnswer() throws(HTTPClientError) -> HTTPAnswer {
        while true {
            if let (answer, size) = try HTTPAnswer.read(unread) {
                unread.removeFirst(size)
                return answer
            }
            guard unread.count < Self.answerLimitBytes else { throw .noAnswer }
            guard try receiveMore() else { throw .closed }
        }
    }

    /// Sends all bytes as they are.
    public func send(_ bytes: [UInt8]) throws(HTTPClientError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw errno == EAGAIN ? .timedOut : .system(errno) }
            offset += count
        }
    }

    /// Waits for further bytes and adds them to `unread`; false at the end of the server's data.
    public func receiveMore() throws(HTTPClientError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { throw errno == EAGAIN ? .timedOut : .system(errno) }
        guard count > 0 else { return false }
        unread += buffer[..<count]
        return true
    }

    /// Closes this side's half of the connection.
    public func endOutput() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits until the other side's system has all that was sent, read or not (tcp(7), SIOCOUTQ).
    public func waitForDelivery() {
        var unacknowledged: Int32 = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &unacknowledged) == 0, unacknowledged > 0 { usleep(100) }
    }
}

/// An answer of a server.
public struct HTTPAnswer: Equatable, Sendable {
    public let status: Int
    /// Status line and headers, without the empty line after them.
    public let head: String
    public let body: [UInt8]

    /// The answer at the front of `bytes`, and its size; nil until it is complete.
    static func read(_ bytes: [UInt8]) throws(HTTPClientError) -> (HTTPAnswer, size: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { throw .noAnswer }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }?.split(separator: " ").last
        let size = end.upperBound + (length.flatMap { Int($0) } ?? 0)
        guard bytes.count >= size else { return nil }
        return (HTTPAnswer(status: status, head: head, body: Array(bytes[end.upperBound..<size])), size)
    }
}

/// Why there is no answer.
public enum HTTPClientError: Error, Equatable, Sendable {
    /// The system's error number.
    case system(Int32)
    case timedOut, closed
    /// What arrived is not an answer.
    case noAnswer
}

extension [UInt8] {
    fileprivate func firstRange(of pattern: [UInt8]) -> Range<Int>? {
        guard count >= pattern.count else { return nil }
        return (0...count - pattern.count).first { self[$0..<$0 + pattern.count].elementsEqual(pattern) }
            .map { $0..<$0 + pattern.count }
    }
}
