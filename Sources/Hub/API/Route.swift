import JSON
import Transport
import WebProtocols

/// A request that can be made over HTTP, and what answers it.
struct Route: Sendable {
    typealias Answering<Value> = @Sendable (API) -> (RoutedRequest) throws(RequestError) -> Future<Value>

    enum Method: String {
        case get = "GET", post = "POST", put = "PUT", delete = "DELETE"
        /// A GET that asks for a WebSocket: the handshake says itself what is wrong with any other.
        case upgrade

        /// Those of RFC 9110 section 9.3, and PATCH: of any other it makes no difference what is asked for.
        static let known: Set = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]

        /// As `Allow` has them: what answers GET answers HEAD, too (RFC 9110 section 9.1).
        var names: [String] {
            switch self {
            case .get: ["GET", "HEAD"]
            case .upgrade: ["GET"]
            case .post, .put, .delete: [rawValue]
            }
        }
    }

    let method: Method
    /// One part at most is in braces: `{code}` is any part, an empty one too; `{code+}` one that is not empty, with
    /// slashes behind it or none; `{name...}` all that is left, slashes and all.
    let path: String
    /// Where it can be asked for.
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

    /// For what is answered by a response and nothing else.
    init(
        _ method: Method, _ path: String, at doors: Set<Peer.Door> = [.clients],
        _ answer: @escaping Answering<HTTPResponse>
    ) {
        self.init(method, path, at: doors) { api in
            { request throws(RequestError) in try answer(api)(request).map { .response($0) } }
        }
    }

    /// What stands between the slashes of a path.
    static func parts(of path: String) -> [Substring] {
        Array(path.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    }

    /// Whether a request with the method of this name is this route's to answer.
    func takes(_ name: String) -> Bool { method == .upgrade || method.names.contains(name) }

    /// What stands for the part in braces, empty where there are none; nil where `path`, in parts, is not this route's.
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

/// A request that has come by a route.
struct RoutedRequest {
    let head: RequestHead
    let body: [UInt8]
    let peer: Peer
    /// What stands in its path for the part that the route has in braces, else empty.
    let parameter: String
}

/// How a request is answered.
enum Answer {
    case response(HTTPResponse)
    case upgrade(Acceptance, MessageLimits, to: Int, for: WebSocketPurpose)
    /// The log of a room behind a version, in parts.
    case log(code: String, after: Int)
}
