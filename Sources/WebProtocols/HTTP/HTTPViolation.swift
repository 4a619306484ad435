/// What RFC 9110, RFC 9112 or a limit forbids in a request. The connection ends after the answer, since the start of
/// the next request cannot be found.
public enum HTTPViolation: Error, Equatable, Sendable {
    case malformedRequestLine
    case methodTooLong(limit: Int)
    case targetTooLong(limit: Int)
    case malformedTarget
    /// CONNECT, since this is not a proxy.
    case unsupportedMethod(String)
    case unsupportedVersion(String)
    /// A line that ends with LF alone. RFC 9112 section 2.2 allows it as a line break, but then two readers of the same
    /// bytes may see different requests.
    case bareLineFeed
    case bareCarriageReturn
    case controlCharacter(UInt8)
    case malformedField
    /// A field that continues on a second line (RFC 9112 section 5.2).
    case foldedField
    case headTooLong(limit: Int)
    case tooManyFields(limit: Int)
    /// HTTP/1.1 without a Host field, or any version with two (RFC 9112 section 3.2).
    case missingHost
    case severalHosts
    case malformedHost
    case malformedLength
    /// Two lengths that differ (RFC 9112 section 6.3).
    case conflictingLengths
    /// A length and a transfer coding, the sign of request smuggling (RFC 9112 section 6.1).
    case lengthAndTransferCoding
    case transferCodingInOldVersion
    /// The last transfer coding is not `chunked`, so the body's end cannot be found (RFC 9112 section 6.3).
    case transferCodingWithoutEnd
    case unsupportedTransferCoding
    case bodyTooLong(limit: Int)
    case malformedChunk
    /// An expectation other than `100-continue`.
    case unsupportedExpectation

    public var status: Int { description.status }
    /// A stable name for programs, in lower case with hyphens.
    public var code: String { description.code }
    /// For a person.
    public var sentence: String { description.sentence }
    /// The answer, as problem details.
    public var response: HTTPResponse { .problem(status: status, code: code, sentence: sentence) }

    private var description: (status: Int, code: String, sentence: String) {
        switch self {
        case .malformedRequestLine:
            (400, "malformed-request-line", "The first line is not a method, a target and a version.")
        case .methodTooLong(let limit): (501, "method-too-long", "A method has at most \(limit) characters here.")
        case .targetTooLong(let limit): (414, "target-too-long", "A target has at most \(limit) bytes here.")
        case .malformedTarget: (400, "malformed-target", "The target is not a path, or not well encoded.")
        case .unsupportedMethod(let method): (501, "unsupported-method", "\(method) is not supported here.")
        case .unsupportedVersion: (505, "unsupported-version", "This server speaks HTTP/1.1.")
        case .bareLineFeed: (400, "bare-line-feed", "A line must end with CR and LF.")
        case .bareCarriageReturn: (400, "bare-carriage-return", "A CR must be followed by an LF.")
        case .controlCharacter: (400, "control-character", "A line must not have control characters.")
        case .malformedField: (400, "malformed-field", "A field is a name, a colon and a value.")
        case .foldedField: (400, "folded-field", "A field must be on one line.")
        case .headTooLong(let limit): (431, "head-too-long", "A request's head has at most \(limit) bytes here.")
        case .tooManyFields(let limit): (431, "too-many-fields", "A request has at most \(limit) fields here.")
        case .missingHost: (400, "missing-host", "A request must name its host.")
        case .severalHosts: (400, "several-hosts", "A request must name only one host.")
        case .malformedHost: (400, "malformed-host", "The host is not a name or an address.")
        case .malformedLength: (400, "malformed-length", "Content-Length must be a number.")
        case .conflictingLengths: (400, "conflicting-lengths", "A body must have only one length.")
        case .lengthAndTransferCoding:
            (400, "length-and-transfer-coding", "A body has a length or a transfer coding, not both.")
        case .transferCodingInOldVersion: (400, "transfer-coding-in-old-version", "HTTP/1.0 has no transfer codings.")
        case .transferCodingWithoutEnd:
            (400, "transfer-coding-without-end", "The last transfer coding of a request must be chunked.")
        case .unsupportedTransferCoding:
            (501, "unsupported-transfer-coding", "The only supported transfer coding is chunked.")
        case .bodyTooLong(let limit): (413, "body-too-long", "A body has at most \(limit) bytes here.")
        case .malformedChunk: (400, "malformed-chunk", "A chunk is a hexadecimal size, a line break and its bytes.")
        case .unsupportedExpectation:
            (417, "unsupported-expectation", "The only supported expectation is 100-continue.")
        }
    }
}
