/// What RFC 6455 or a limit forbids in a frame or message; it ends the connection.
public enum FrameViolation: Error, Equatable, Sendable {
    /// Reserved bits that no extension uses: 0x40, 0x20, 0x10 or a sum of these (section 5.2).
    case reservedBits(UInt8)
    case unknownOpcode(UInt8)
    /// A client's frame without a mask (section 5.1).
    case unmasked
    /// A server's frame with a mask (section 5.1).
    case masked
    /// A control frame that is not final (section 5.5).
    case fragmentedControl(Opcode)
    /// A control frame whose length does not fit its seven bits (section 5.5).
    case controlTooLong(Opcode)
    /// A length in more bytes than it needs (section 5.2).
    case lengthNotMinimal(Int)
    /// A length of 2^63 bytes or more (section 5.2).
    case lengthTopBit
    case frameTooLong(bytes: Int, limit: Int)
    /// Counts the fragments so far and the announced one.
    case messageTooLong(bytes: Int, limit: Int)
    /// A continuation of nothing (section 5.4).
    case unexpectedContinuation
    /// A new message before the current one has ended (section 5.4).
    case interruptedMessage(Opcode)
    /// A compressed message that is not valid DEFLATE (RFC 7692 section 7.2.2).
    case invalidCompression
    /// A text that is not UTF-8 and cannot become so (section 8.1).
    case invalidUTF8
    /// A close payload of one byte, which is half a code (section 5.5.1).
    case halfCloseCode
    /// A code that no close frame may have (section 7.4).
    case invalidCloseCode(UInt16)
    /// A close reason that is not UTF-8 (section 5.5.1).
    case invalidCloseReason

    /// The code of the close frame that follows: 1009, 1007 or 1002.
    public var closeCode: CloseCode {
        switch self {
        case .frameTooLong, .messageTooLong: .messageTooBig
        case .invalidUTF8, .invalidCloseReason, .invalidCompression: .invalidPayload
        default: .protocolError
        }
    }

    /// For the close frame's reason and for logs; at most 123 bytes of ASCII.
    public var sentence: String {
        switch self {
        case .reservedBits: "A reserved bit is set without an extension."
        case .unknownOpcode(let opcode): "Opcode \(opcode) is unknown."
        case .unmasked: "A client's frames must be masked."
        case .masked: "A server's frames must not be masked."
        case .fragmentedControl: "A control frame must not be fragmented."
        case .controlTooLong: "A control frame carries at most 125 bytes."
        case .lengthNotMinimal(let bytes): "The length \(bytes) is not in its shortest form."
        case .lengthTopBit: "A length must be below 2^63."
        case .frameTooLong(_, let limit): "A frame carries at most \(limit) bytes here."
        case .messageTooLong(_, let limit): "A message has at most \(limit) bytes here."
        case .unexpectedContinuation: "There is no message to continue."
        case .interruptedMessage: "The message under way has not ended."
        case .invalidCompression: "A compressed message must be valid DEFLATE."
        case .invalidUTF8: "A text must be UTF-8."
        case .halfCloseCode: "A close code has two bytes."
        case .invalidCloseCode(let code): "Close code \(code) must not be sent."
        case .invalidCloseReason: "A close reason must be UTF-8."
        }
    }
}
