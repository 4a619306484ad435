import Games
import WebProtocols

// Errors of the HTTP API: `application/problem+json` (RFC 9457) with a stable `code`.
extension HTTPResponse {
    static func json(_ status: Int, _ fields: Fields, headers: HeaderFields = [:]) -> HTTPResponse {
        json(status, bytes: JSONWriter.bytes(fields), headers: headers)
    }

    static func json(_ status: Int, bytes: [UInt8], headers: HeaderFields = [:]) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers.typed("application/json"), body: bytes)
    }

    static func refused(_ status: Int, _ rejection: Rejection, headers: HeaderFields = [:]) -> HTTPResponse {
        let fields: Fields = [
            "type": "about:blank", "title": .string(HTTPStatus.phrase(status)), "status": .integer(status),
            "code": .string(rejection.code),
            "detail": .string(rejection.sentence),
        ]
        return HTTPResponse(
            status: status, headers: headers.typed("application/problem+json"),
            body: JSONWriter.bytes(fields.merging(rejection.values)))
    }
}

extension HeaderFields {
    /// With the type of an answer that is made anew each time.
    func typed(_ type: String) -> HeaderFields {
        var headers = self
        headers.set("Content-Type", type)
        headers.set("Cache-Control", "no-store")
        return headers
    }
}
