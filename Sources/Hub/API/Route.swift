import Transport
import WebProtocols

/// A kind of request over HTTP, and the function that answers it.
struct Route: Sendable {
    typealias Answering<Value> = @Sendable (API) -> (RoutedRequest) throws(RequestError) -> Future<Value>

    enum Method: String {
        case get = "GET", post = "POST", put = "PUT", delete = "DELETE"
        /// A GET that asks for a WebSocket. The handshake itself answers requests that do not.
        case upgrade

        /// The methods of RFC 9110 section 9.3, and PATCH. Any other is refused on every path.
        static let known: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]

        /// As listed in `Allow`. Every GET route also answers HEAD (RFC 9110 section 9.1).
        var names: [String] {
            switch self {
            case .get: ["GET", "HEAD"]
            case .upgrade: ["GET"]
            case .post, .put, .delete: [rawValue]
            }
        }
    }

    let method: Method
    /// At most one part is in braces. `{code}` stands for any part, even an empty one; `{code+}` for one that is not
    /// empty, with or without slashes after it; `{name...}` for the whole rest with its slashes.
    let path: String
    /// The doors where it is served.
    let doors: Set<Peer.Door>
    let answer: Answering<Answer>
    private let parts: [Substring]

    init(
        _ method: Method, _ path: String, at doors: Set<Peer.Door> = [.clients], _ answer: @escaping Answering<Answer>
    ) {
        self.method = method
        self.path = path
        self.doors = doors
        self.answer = answer
        parts = Self.parts(of: path)
    }

    /// For routes that always answer with a response.
    init(
        _ method: Method, _ path: String, at doors: Set<Peer.Door> = [.clients],
        _ answer: @escaping Answering<HTTPResponse>
    ) {
        self.init(method, path, at: doors) { api in
            { request throws(RequestError) in try answer(api)(request).map { .response($0) } }
        }
    }

    /// The parts of a path between its slashes.
    static func parts(of path: String) -> [Substring] {
        Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    }

    /// Whether this route answers requests with this method.
    func takes(_ name: String) -> Bool { method == .upgrade || method.names.contains(name) }

    /// The part of `path` that the braces stand for, empty without braces; nil if `path` does not belong to this route.
    func parameter(in path: [Substring]) -> String? {
        guard let place = parts.firstIndex(where: { $0.hasPrefix("{") }) else { return path == parts ? "" : nil }
        guard path.count >= parts.count, path[..<place] == parts[..<place] else { return nil }
        if parts[place].hasSuffix("...}") { return path[place...].joined(separator: "/") }
        let behind = path[(place + 1)...]
        let fits =
            parts[place].hasSuffix("+}")
            ? !path[place].isEmpty && behind.allSatisfy(\.isEmpty) : behind == parts[(place + 1)...]
        return fits ? String(path[place]) : nil
    }
}

/// A request with the route that it matched.
struct RoutedRequest {
    let head: RequestHead
    let body: [UInt8]
    let peer: Peer
    /// The part of its path that the route has in braces, else empty.
    let parameter: String
}

/// How a request is answered.
enum Answer {
    case response(HTTPResponse)
    case upgrade(Acceptance, MessageLimits, to: Int, for: WebSocketPurpose)
    /// A room's log after this version, in parts.
    case log(code: String, after: Int)
}
