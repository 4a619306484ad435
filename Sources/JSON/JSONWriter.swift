/// Writes JSON (RFC 8259) into bytes: compact, fields in the order given.
public struct JSONWriter {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []

    /// `capacity` is in bytes, and may be exceeded.
    public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// The JSON of an object.
    public static func bytes(_ fields: Fields) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(fields)
        return writer.bytes
    }

    /// `fields` as they follow others in an object, each after a comma. `append` takes the result.
    public static func followers(_ fields: Fields) -> [UInt8] {
        var writer = JSONWriter()
        writer.writeElements(fields)
        return writer.bytes
    }

    /// Adds what `followers` gave to an open object that has fields.
    public mutating func append(_ followers: [UInt8]) { bytes += followers }

    /// Opens an object as the next field; `closeObject` closes it.
    public mutating func openObject(_ name: String) {
        bytes.append(UInt8(ascii: ","))
        write(name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: "{"))
    }

    /// Closes the innermost open object, whose last fields these are.
    public mutating func closeObject(with fields: Fields) {
        writeElements(fields)
        bytes.append(UInt8(ascii: "}"))
    }

    /// A number that is not finite becomes null.
    public mutating func write(_ value: Value) {
        switch value {
        case .null: write(plain: "null")
        case .bool(let flag): write(plain: flag ? "true" : "false")
        case .integer(let number): write(number)
        case .fraction(let number): write(plain: number.isFinite ? number.description : "null")
        case .string(let text): write(text)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields): write(fields)
        }
    }

    /// With the brackets.
    public mutating func write(_ fields: Fields) {
        bytes.append(UInt8(ascii: "{"))
        writeElements(fields)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Without the brackets.
    public mutating func writeElements(_ fields: Fields) {
        for (name, value) in fields.elements {
            if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
            write(name)
            bytes.append(UInt8(ascii: ":"))
            write(value)
        }
    }

    /// In quotes. Quotes, backslashes and control characters are escaped; all else is UTF-8 as it is.
    public mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        // Nearly every text is copied as a whole.
        let isWritten = text.utf8.withContiguousStorageIfAvailable { text in
            guard text.allSatisfy(isPlain) else { return false }
            bytes.append(contentsOf: text)
            return true
        }
        if isWritten == true { return }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                write(plain: "\\u00")
                bytes.append(hexDigits[Int(byte >> 4)])
                bytes.append(hexDigits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }

    /// In decimal digits.
    public mutating func write(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        // Made from the last digit on, without a String, since most messages have several numbers.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var (first, rest) = (digits.count, number.magnitude)
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        for index in first..<digits.count { bytes.append(digits[index]) }
    }

    /// Text that is JSON already.
    public mutating func write(plain text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
            bytes.append(contentsOf: text.utf8)
        }
    }
}

extension Fields: CustomStringConvertible {
    public var description: String { String(decoding: JSONWriter.bytes(self), as: UTF8.self) }
}

extension Value: CustomStringConvertible {
    public var description: String {
        var writer = JSONWriter()
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// Whether the byte needs no escape in a string.
private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}

private let hexDigits = Array("0123456789abcdef".utf8)
