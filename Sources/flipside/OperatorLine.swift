// Hands bytes to a socket by pointer, for the length of a call.
import Foundation
import Hub

/// A request to the hub that runs on this machine, in plain HTTP; waits for the answer. A client that speaks more, TLS
/// or redirections, would be one that can be led to tell the token to somebody else.
struct OperatorLine {
    struct Answer {
        let status: Int
        /// The sentence of an error; empty without one.
        let detail: String
    }

    enum Fault: Error {
        case system(Int32)
        case noAnswer

        var sentence: String {
            switch self {
            case .system(let code): String(cString: strerror(code)) + "."
            case .noAnswer: "what it said is no answer."
            }
        }
    }

    /// For each step: a hub that takes longer has other troubles.
    private static let patience = timeval(tv_sec: 10, tv_usec: 0)
    /// Far above what the hub answers.
    private static let answerLimitBytes = 1 << 16

    private let note: OperatorNote

    init(_ note: OperatorNote) { self.note = note }

    func ask(_ method: String, _ path: String) throws(Fault) -> Answer {
        let descriptor = try connected()
        defer { close(descriptor) }
        let request =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(note.port)\r\nAuthorization: Bearer \(note.token)\r\n"
            + "Connection: close\r\n\r\n"
        try write(Array(request.utf8), to: descriptor)
        return try Self.answer(in: readAll(from: descriptor))
    }

    private func connected() throws(Fault) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(errno) }
        var patience = Self.patience
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] { setsockopt(descriptor, SOL_SOCKET, option, &patience, size) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(note.port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw .system(code)
        }
        return descriptor
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Fault) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw .system(errno) }
            offset += count
        }
    }

    /// Until the hub closes its side, as it was asked to.
    private func readAll(from descriptor: Int32) throws(Fault) -> [UInt8] {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while answer.count < Self.answerLimitBytes {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw .system(errno) }
            if count == 0 { return answer }
            answer += buffer[..<count]
        }
        throw .noAnswer
    }

    private static func answer(in bytes: [UInt8]) throws(Fault) -> Answer {
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]),
            let end = text.range(of: "\r\n\r\n")
        else { throw .noAnswer }
        // An answer without a body, or whose body is no JSON object, has no sentence.
        let problem = try? JSONSerialization.jsonObject(with: Data(text[end.upperBound...].utf8)) as? [String: Any]
        return Answer(status: status, detail: problem?["detail"] as? String ?? "")
    }
}
