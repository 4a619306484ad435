// Reads through a pointer to the bytes of one message; only a value leaves this file.

/// Reads JSON (RFC 8259) with integers only. The model has its own parser so that it does not share the hub's faults.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place: Int
    private var depth = 0

    /// Deeper than the protocol permits, and far from the end of the stack.
    private static let depthLimit = 64

    /// The value in `bytes` from `start` on; nil if it is not JSON, or more than one value.
    static func read(_ bytes: [UInt8], from start: Int = 0) -> JSON? {
        bytes.withUnsafeBufferPointer { buffer in
            guard start <= buffer.count else { return nil }
            var parser = JSONParser(bytes: buffer, place: start)
            guard let value = parser.value() else { return nil }
            parser.skipBlanks()
            return parser.place == buffer.count ? value : nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, place: Int) { (self.bytes, self.place) = (bytes, place) }

    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func skipBlanks() {
        while place < bytes.count {
            let byte = bytes[place]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            place += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard next == byte else { return false }
        place += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
        place += count
        return true
    }

    private mutating func value() -> JSON? {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return nested { $0.object() }
        case UInt8(ascii: "["): return nested { $0.list() }
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout JSONParser) -> JSON?) -> JSON? {
        guard depth < Self.depthLimit else { return nil }
        depth += 1
        place += 1
        defer { depth -= 1 }
        return read(&self)
    }

    private mutating func object() -> JSON? {
        if take(UInt8(ascii: "}")) { return .object([]) }
        var members: [JSON.Member] = []
        members.reserveCapacity(8)
        repeat {
            skipBlanks()
            guard let name = string(), take(UInt8(ascii: ":")), let value = value() else { return nil }
            members.append(JSON.Member(name, value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func list() -> JSON? {
        if take(UInt8(ascii: "]")) { return .list([]) }
        var values: [JSON] = []
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .list(values) : nil
    }

    private mutating func number() -> JSON? {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { place += 1 }
        let start = place
        var number = 0
        while place < bytes.count {
            let digit = Int(bytes[place]) - 48
            guard digit >= 0, digit <= 9, place - start < 18 else { break }
            number = number &* 10 &+ digit
            place += 1
        }
        let isWhole = place - start == 1 || (place > start && bytes[start] != UInt8(ascii: "0"))
        return isWhole ? .number(isNegative ? -number : number) : nil
    }

    private mutating func string() -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        place += 1
        let start = place
        var byte = next
        while byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            place += 1
            byte = next
        }
        if byte == UInt8(ascii: "\"") {
            defer { place += 1 }
            return Self.text(UnsafeBufferPointer(rebasing: bytes[start..<place]).span)
        }
        return byte == UInt8(ascii: "\\") ? escapedString(from: start) : nil
    }

    /// Reads on from the first escape, at `place`.
    private mutating func escapedString(from start: Int) -> String? {
        var text = Array(bytes[start..<place])
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            let byte = bytes[place]
            place += 1
            guard byte == UInt8(ascii: "\\") else {
                guard byte >= 0x20 else { return nil }
                text.append(byte)
                continue
            }
            let escape = next
            place += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
            case UInt8(ascii: "b"): text.append(8)
            case UInt8(ascii: "f"): text.append(12)
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "r"): text.append(13)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "u"):
                guard let scalar = scalar() else { return nil }
                text += Array(String(Character(scalar)).utf8)
            default: return nil
            }
        }
        guard place < bytes.count else { return nil }
        place += 1
        return Self.text(text.span)
    }

    /// Nil if it is not UTF-8.
    private static func text(_ bytes: Span<UInt8>) -> String? {
        do throws(UTF8.ValidationError) { return String(copying: try UTF8Span(validating: bytes)) } catch { return nil }
    }

    /// The digits of `\u`, or of two that are a surrogate pair.
    private mutating func scalar() -> Unicode.Scalar? {
        guard let first = hexUnit() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard take("\\u"), let second = hexUnit(), (0xDC00..<0xE000).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func hexUnit() -> UInt32? {
        guard place + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes[place]
            switch byte {
            case 0x30...0x39: unit = unit << 4 | UInt32(byte - 0x30)
            case 0x41...0x46, 0x61...0x66: unit = unit << 4 | UInt32(byte & 0x0F + 9)
            default: return nil
            }
            place += 1
        }
        return unit
    }
}
