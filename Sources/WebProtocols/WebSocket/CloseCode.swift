/// Why a connection ends (RFC 6455 section 7.4 and the IANA WebSocket Close Code Number Registry).
public struct CloseCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let normal = CloseCode(rawValue: 1000)
    public static let goingAway = CloseCode(rawValue: 1001)
    public static let protocolError = CloseCode(rawValue: 1002)
    /// A kind of data that the endpoint does not accept.
    public static let unsupportedData = CloseCode(rawValue: 1003)
    /// Stands for a close frame without a code; never on the wire.
    public static let noStatus = CloseCode(rawValue: 1005)
    /// A text that is not UTF-8.
    public static let invalidPayload = CloseCode(rawValue: 1007)
    public static let policyViolation = CloseCode(rawValue: 1008)
    public static let messageTooBig = CloseCode(rawValue: 1009)
    public static let internalError = CloseCode(rawValue: 1011)
    public static let serviceRestart = CloseCode(rawValue: 1012)
    public static let tryAgainLater = CloseCode(rawValue: 1013)

    /// Whether a close frame may have this code: it is registered for that, or free for libraries (from 3000) and
    /// applications (from 4000).
    public var isValidOnWire: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
