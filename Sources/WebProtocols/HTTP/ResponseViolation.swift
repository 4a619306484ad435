/// What RFC 9112 or a limit forbids in an answer. The client cannot use the connection any further.
public enum ResponseViolation: Error, Equatable, Sendable {
    /// The first line is not a version, a status and perhaps a phrase (section 4), so most likely not HTTP.
    case malformedStatusLine
    case unsupportedVersion(String)
    /// A line, a field or a body's framing breaks a rule that requests have too.
    case malformed(HTTPViolation)
    case headTooLong(limit: Int)
    case tooManyFields(limit: Int)
    case bodyTooLong(limit: Int)
    case tooManyInterim(limit: Int)
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
        case .tooManyInterim(let limit): "more than \(limit) interim answers arrived without a final one"
        case .cut: "the connection ended before the answer was complete"
        }
    }
}
