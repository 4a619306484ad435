import Games

/// Writes JSON (RFC 8259) into bytes: compact, fields in the order given.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    static func bytes(_ fields: Fields) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(fields)
        return writer.bytes
    }

    mutating func write(_ value: Value) {
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

    mutating func write(_ fields: Fields) {
        bytes.append(UInt8(ascii: "{"))
        for index in 0..<fields.count {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(fields.names[index])
            bytes.append(UInt8(ascii: ":"))
            write(fields.values[index])
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// In quotes; quotes, backslashes and control characters escaped, all else as it is in UTF-8.
    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
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
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func write(_ number: Int) {
        guard number < 0 || number > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
        write(plain: String(number))
    }

    private mutating func write(plain text: String) { bytes.append(contentsOf: text.utf8) }
}

private let hexDigits = Array("0123456789abcdef".utf8)
