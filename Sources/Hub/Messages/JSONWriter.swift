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

    /// What every event begins with: `{"v":3,"t":1767225600000,"type":"show-card"`.
    init(eventOf type: String, version: Int, at time: Int) {
        self.init()
        write(plain: #"{"v":"#)
        write(version)
        write(plain: #","t":"#)
        write(time)
        write(plain: #","type":"#)
        write(type)
    }

    /// Comes next, for `append`, if more events of its commit follow.
    static let more = followers(["more": true])

    /// What every other message begins with: `{"type":"ok"`.
    init(objectOf type: String) {
        self.init()
        write(plain: #"{"type":"#)
        write(type)
    }

    /// `fields` as they stand behind others, for `append`: with a comma ahead of each.
    static func followers(_ fields: Fields) -> [UInt8] {
        var writer = JSONWriter()
        writer.writeElements(fields)
        return writer.bytes
    }

    /// Puts what `followers` gave behind the fields of an object that has begun.
    mutating func append(_ followers: [UInt8]) { bytes += followers }

    /// Begins an object as the next field; `end` ends it.
    mutating func begin(_ name: String) {
        bytes.append(UInt8(ascii: ","))
        write(name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: "{"))
    }

    /// Ends an object that has begun, with these fields.
    mutating func end(with fields: Fields) {
        writeElements(fields)
        bytes.append(UInt8(ascii: "}"))
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
        writeElements(fields)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func writeElements(_ fields: Fields) {
        for (name, value) in fields.elements {
            if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
            write(name)
            bytes.append(UInt8(ascii: ":"))
            write(value)
        }
    }

    /// In quotes; quotes, backslashes and control characters escaped, all else as it is in UTF-8.
    mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        // Nearly every text: taken over as a whole.
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

    private mutating func write(_ number: Int) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        // From the last digit on: no String for what most messages have several of.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var (first, rest) = (digits.count, number.magnitude)
        repeat {
            first -= 1
            digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        for index in first..<digits.count { bytes.append(digits[index]) }
    }

    private mutating func write(plain text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
            bytes.append(contentsOf: text.utf8)
        }
    }
}

/// Whether the byte stands in a string as it is.
private func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}

private let hexDigits = Array("0123456789abcdef".utf8)
