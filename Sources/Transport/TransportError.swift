import Cryptography
import Glibc
import Threads

/// Why a server cannot start.
public enum TransportError: Error, Equatable, Sendable {
    case portInUse(ListenAddress)
    /// The name does not resolve, or belongs to another machine; `reason` is the system's.
    case badAddress(ListenAddress, reason: String)
    /// A port below 1024 that this user may not use.
    case notAllowed(ListenAddress)
    case tls(TLSError)
    case noThread(ThreadError)
    /// The process may have `limit` descriptors, and cannot serve any client with fewer than `needed`.
    case tooFewDescriptors(limit: Int, needed: Int)
    /// Anything else, such as no memory.
    case system(call: String, code: Int32)

    /// Whether this machine lacks the address or its family.
    var isOfMissingAddress: Bool {
        switch self {
        case .badAddress: true
        case .system("socket", EAFNOSUPPORT): true
        default: false
        }
    }

    /// For the person who starts the program.
    public var sentence: String {
        switch self {
        case .portInUse(let address): "\(address) is in use by another program"
        case .badAddress(let address, let reason): "\(address) is not an address to listen on: \(reason)"
        case .notAllowed(let address): "\(address) needs more rights to listen on"
        case .tls(let error): error.sentence
        case .noThread(let error): error.description
        case .tooFewDescriptors(let limit, let needed):
            "the system lets this process have \(limit) descriptors, but it needs \(needed) or more: raise the limit "
                + "(ulimit -n, or a unit's LimitNOFILE)"
        case .system(let call, let code): "\(call) failed: \(String(cString: strerror(code)))"
        }
    }
}

/// Where to listen: `127.0.0.1:8080`, `[::1]:8080`, `localhost:0`. The system chooses a port for 0.
public struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    /// A name or a number, IPv6 without brackets.
    public var host: String
    public var port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Nil unless it is a host, a colon and a port from 0 to 65535; IPv6 addresses are in brackets.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.first == "[" {
            guard host.last == "]" else { return nil }
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0 == "[" || $0 == "]" }) else { return nil }
        self.init(host: String(host), port: Int(port))
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
