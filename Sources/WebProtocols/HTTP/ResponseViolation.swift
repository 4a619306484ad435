/// What a server did in an answer that RFC 9112 or a limit forbids; a client has no use for the connection any more.
public enum ResponseViolation: Error, Equatable, Sendable {
    /// The first line is not a version, a status and perhaps a phrase (section 4): no HTTP, most likely.
    case malformedStatusLine
    case unsupportedVersion(String)
    /// A line, a field or a body's framing, by the same rules as in a request.
    case malformed(HTTPViolation)
    case headTooLong(limit: Int)
    case tooManyFields(limit: Int)
    case bodyTooLong(limit: Int)
    /// Too many answers of 1xx ahead of the one that counts.
    case tooManyInterim(limit: Int)
    /// The connection ended before the answer did.
    case cut

    /// For a person.
    public var sentence: String {
        switch self {
        case .malformedStatusLine: "the answer is not HTTP"
        case .unsupportedVersion(let version): "the answer is in \(version), not in HTTP/1.1"
        case .malformed(let violation): "the answer breaks a rule of HTTP: \(violation.sentence)"
        case .headTooLong(let limit): "the answer's head has more than \(limit) bytes"
        case .tooManyFields(let limit): "the answer has more than \(limit) fields"
        case .bodyTooLong(let limit): "the answer's body has more than \(limit) bytes"
        case .tooManyInterim(let limit): "more than \(limit) interim answers came, and no other one"
        case .cut: "the connection ended within the answer"
        }
    }
}
