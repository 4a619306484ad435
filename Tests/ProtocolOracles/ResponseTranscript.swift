import WebProtocols

/// A response decoder's result for bytes that end with the connection, which does not depend on how they were cut.
public struct ResponseTranscript: Equatable, Sendable {
    public var response: HTTPResponse?
    public var violation: ResponseViolation?
    /// How many bytes belong to the answer.
    public var size = 0
    public var keepsAlive = false

    /// Decodes `bytes` in the pieces that end at `cuts`, which ascend, as the answer to `method`.
    public init(decoding bytes: [UInt8], to method: String, cutAt cuts: [Int] = [], limits: HTTPLimits) {
        var decoder = ResponseDecoder(to: method, limits: limits)
        do throws(ResponseViolation) {
            for piece in pieces(of: bytes, cutAt: cuts) where response == nil {
                var offset = 0
                response = try decoder.next(piece.span.bytes, at: &offset)
                size += offset
            }
            if response == nil { response = try decoder.connectionEnded() }
        } catch { (violation, size) = (error, 0) }
        keepsAlive = response != nil && decoder.keepsAlive
    }
}

/// The broken rule for any bytes, cut at `cuts`; nil if all hold.
public func responseFault(_ bytes: [UInt8], cutAt cuts: [Int], limits: HTTPLimits) -> String? {
    for method in ["GET", "HEAD"] {
        let whole = ResponseTranscript(decoding: bytes, to: method, limits: limits)
        let cut = ResponseTranscript(decoding: bytes, to: method, cutAt: cuts, limits: limits)
        guard whole == cut else { return "cut at \(cuts): \(cut) instead of \(whole)" }
        let single = ResponseTranscript(decoding: bytes, to: method, cutAt: Array(bytes.indices), limits: limits)
        guard whole == single else { return "byte by byte: \(single) instead of \(whole)" }
        if let violation = whole.violation, violation.sentence.isEmpty { return "\(violation) has no sentence" }
        if let response = whole.response, let fault = fault(in: response, to: method, limits) { return fault }
    }
    return nil
}

private func fault(in response: HTTPResponse, to method: String, _ limits: HTTPLimits) -> String? {
    guard response.status == 101 || (200...599).contains(response.status) else { return "status \(response.status)" }
    guard response.body.count <= limits.bodyBytes else { return "a body of \(response.body.count) bytes" }
    guard response.headers.count <= limits.fieldCount else { return "\(response.headers.count) fields" }
    guard response.headers.fields.allSatisfy({ HeaderFields.isValid(value: $0.value) }) else {
        return "a field of two lines"
    }
    let handshake = ClientHandshake(target: "/", host: "a", random: Array(repeating: 7, count: 16))
    do throws(ClientHandshakeError) {
        // These bytes cannot know the key, unless a fuzzer has fed this very one back.
        guard try handshake.check(response) == nil else { return "a subprotocol that was not offered" }
    } catch { guard !error.sentence.isEmpty else { return "\(error) has no sentence" } }
    // Encoded again without its framing, it reads the same.
    let plain = HTTPResponse(status: response.status, body: response.body).encode(for: nil, keepsAlive: true)
    let unlimited = HTTPLimits(headBytes: .max, fieldCount: .max, bodyBytes: .max)
    let again = ResponseTranscript(decoding: plain, to: "GET", limits: unlimited)
    guard again.response?.body == response.body, again.response?.status == response.status else {
        return "encoded again: \(again) instead of \(response)"
    }
    return nil
}
