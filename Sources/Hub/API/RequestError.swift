import EventStore
import Games
import JSON
import WebProtocols

/// Why a request is refused, as `application/problem+json` (RFC 9457) with a stable `code`.
struct RequestError: Error, Equatable {
    let response: HTTPResponse
    /// The problem's code, which is a word of the program and never a client's.
    let code: String

    init(_ refusal: HandshakeRefusal) { (response, code) = (refusal.response, refusal.code) }

    init(_ status: Int, _ rejection: Rejection, headers: HeaderFields = [:]) {
        var problem = HTTPResponse.problem(
            status: status, code: rejection.code, sentence: rejection.sentence,
            members: JSONWriter.bytes(rejection.values))
        problem.headers = headers.typed("application/problem+json")
        (response, code) = (problem, rejection.code)
    }

    /// For a failure of the log or of what is derived from it.
    init(_ error: EventLogError) { self.init(503, Rejection(error)) }

    static let roomBroken = RequestError(503, Rejection("room-broken", "The log of this room cannot be read."))
    static let logUnavailable = RequestError(503, .logUnavailable)

    /// The node has not joined the others yet, or has left them.
    static let nodeAway = RequestError(
        503, Rejection("log-unavailable", "This node serves no rooms right now. Another one does."))
}

/// Answers a rejection with this status.
func refusing<Value>(
    as status: Int, _ value: @autoclosure () throws(Rejection) -> Value
) throws(RequestError) -> Value {
    do throws(Rejection) { return try value() } catch { throw RequestError(status, error) }
}

extension HTTPResponse {
    static func json(_ status: Int, _ fields: Fields, headers: HeaderFields = [:]) -> HTTPResponse {
        json(status, bytes: JSONWriter.bytes(fields), headers: headers)
    }

    static func json(_ status: Int, bytes: [UInt8], headers: HeaderFields = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers.typed("application/json"), body: bytes)
    }

    static func plain(_ text: String) -> HTTPResponse {
        HTTPResponse(
            status: 200, headers: HeaderFields().typed("text/plain; version=0.0.4; charset=utf-8"),
            body: Array(text.utf8))
    }
}

extension HeaderFields {
    /// Adds the type, and forbids caching, of an answer that is made for each request.
    func typed(_ type: String) -> HeaderFields {
        var headers = self
        headers.set("Content-Type", type)
        headers.set("Cache-Control", "no-store")
        headers.set("X-Content-Type-Options", "nosniff")
        return headers
    }
}
