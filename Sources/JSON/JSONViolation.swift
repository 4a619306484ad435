/// Why a text is not JSON (RFC 8259), and at which byte.
public struct JSONViolation: Error, Equatable {
    /// What is wrong with the text.
    public enum Reason: Sendable, Equatable {
        case notUTF8, unexpectedEnd, unexpectedByte, badNumber, badEscape, controlCharacter, tooDeep, tooManyFields
        case tooManyValues(limit: Int)
        case trailingBytes
    }

    /// The first fault of the text.
    public let reason: Reason
    /// The byte at which it was found, from 0.
    public let offset: Int

    /// `offset` is from 0.
    public init(reason: Reason, offset: Int) { (self.reason, self.offset) = (reason, offset) }

    /// Whether the text is JSON that is only too large.
    public var isTooMuch: Bool {
        switch reason {
        case .tooDeep, .tooManyFields, .tooManyValues: true
        default: false
        }
    }

    /// For the person who sent the text.
    public var sentence: String {
        let what =
            switch reason {
            case .notUTF8: "the text is not UTF-8"
            case .unexpectedEnd: "the text ends too early"
            case .unexpectedByte: "something else was expected"
            case .badNumber: "this is not a number"
            case .badEscape: "this escape does not exist"
            case .controlCharacter: "control characters must be escaped"
            case .tooDeep: "it is nested more than \(JSONReader.depthLimit) deep"
            case .tooManyFields: "an object has more than \(JSONReader.fieldLimit) fields"
            case .tooManyValues(let limit): "it has more than \(limit) values"
            case .trailingBytes: "there is something after its end"
            }
        return "This is not JSON: \(what), at byte \(offset)."
    }
}
