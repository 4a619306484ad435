import WebProtocols

/// A request decoder's result for some bytes, which does not depend on how they were cut.
public struct RequestTranscript: Equatable, Sendable {
    public var requests: [HTTPRequest] = []
    public var violation: HTTPViolation?
    /// Whether the decoder was between requests at the end.
    public var isIdle = true

    /// Decodes `bytes` in the pieces that end at `cuts`, which ascend.
    public init(decoding bytes: [UInt8], cutAt cuts: [Int] = [], limits: HTTPLimits = HTTPLimits()) {
        var decoder = RequestDecoder(limits: limits)
        do throws(HTTPViolation) {
            for piece in pieces(of: bytes, cutAt: cuts) {
                var offset = 0
                while let request = try decoder.next(piece.span.bytes, at: &offset) { requests.append(request) }
            }
        } catch {
            violation = error
        }
        isIdle = decoder.isIdle
    }
}

/// The broken rule for any bytes, cut at `cuts`; nil if all hold.
public func requestFault(_ bytes: [UInt8], cutAt cuts: [Int], limits: HTTPLimits) -> String? {
    let whole = RequestTranscript(decoding: bytes, limits: limits)
    let cut = RequestTranscript(decoding: bytes, cutAt: cuts, limits: limits)
    guard whole == cut else { return "cut at \(cuts): \(cut) instead of \(whole)" }
    let single = RequestTranscript(decoding: bytes, cutAt: Array(bytes.indices), limits: limits)
    guard whole == single else { return "byte by byte: \(single) instead of \(whole)" }
    for request in whole.requests {
        if let fault = fault(in: request, limits: limits) { return fault }
    }
    if let violation = whole.violation {
        guard (400...505).contains(violation.status), !violation.response.encode(for: nil, keepsAlive: false).isEmpty
        else { return "\(violation) cannot be told to the client" }
    }
    return nil
}

private func fault(in request: HTTPRequest, limits: HTTPLimits) -> String? {
    let head = request.head
    guard request.body.count <= limits.bodyBytes else { return "a body of \(request.body.count) bytes" }
    guard head.headers.count <= limits.fieldCount else { return "\(head.headers.count) fields" }
    guard head.target.utf8.count <= limits.targetBytes else { return "a target of \(head.target.utf8.count) bytes" }
    // By bytes, because a combining mark joins the slash before it.
    guard head.path.utf8.first == UInt8(ascii: "/") || head.path == "*" else { return "the path \(head.path)" }
    guard head.path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return "a control in \(head.path)" }
    guard head.headers.fields.allSatisfy({ HeaderFields.isValid(value: $0.value) }) else {
        return "a field of two lines"
    }
    _ = (head.queryItems.count, head.keepsAlive)
    let again = RequestTranscript(decoding: encode(request), limits: HTTPLimits(headBytes: .max, fieldCount: .max))
    guard again.violation == nil, again.requests.count == 1 else { return "encoded again: \(again)" }
    guard again.requests[0].body == request.body, again.requests[0].head.path == head.path,
        again.requests[0].head.query == head.query, again.requests[0].head.method == head.method
    else { return "encoded again: \(again.requests[0]) instead of \(request)" }
    return handshakeFault(head)
}

/// The request as a careful client writes it, with `Host` as its only field.
private func encode(_ request: HTTPRequest) -> [UInt8] {
    let head = request.head
    let host = head.headers["Host"] ?? "example.com"
    let lines = """
        \(head.method) \(head.target) HTTP/1.\(head.minorVersion)\r\nHost: \(host)\r\n\
        Content-Length: \(request.body.count)\r\n\r\n
        """
    return Array(lines.utf8) + request.body
}

private func handshakeFault(_ head: RequestHead) -> String? {
    do throws(HandshakeRefusal) {
        let acceptance = try OpeningHandshake.accept(head, subprotocols: ["flipside.v1", "chat"])
        let text = String(decoding: acceptance.response, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 101 "), text.hasSuffix("\r\n\r\n"), !text.dropLast(1).contains("\r\n\r\n") else {
            return "the handshake's answer \(text)"
        }
        return nil
    } catch {
        return error.response.encode(for: head, keepsAlive: head.keepsAlive).isEmpty ? "no answer to \(error)" : nil
    }
}
