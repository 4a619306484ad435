/// Reads JSON (RFC 8259) with whole numbers: a reader of the model's own, so that a fault of the hub's is not shared.
struct JSONParser {
    private let bytes: [UInt8]
    private var place: Int

    /// What stands in `bytes` from `start` on; nil if it is no JSON, or more than one value.
    static func read(_ bytes: [UInt8], from start: Int = 0) -> JSON? {
        var parser = JSONParser(bytes: bytes, place: start)
        guard let value = parser.value() else { return nil }
        parser.skipBlanks()
        return parser.place == bytes.count ? value : nil
    }

    private init(bytes: [UInt8], place: Int) { (self.bytes, self.place) = (bytes, place) }

    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func skipBlanks() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
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
        let isThere = word.withUTF8Buffer { bytes[place..<place + count].elementsEqual($0) }
        if isThere { place += count }
        return isThere
    }

    private mutating func value() -> JSON? {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return list()
        case UInt8(ascii: "\""): return string().map { .text($0) }
        case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func object() -> JSON? {
        place += 1
        var members: [JSON.Member] = []
        if take(UInt8(ascii: "}")) { return .object([]) }
        members.reserveCapacity(8)
        repeat {
            skipBlanks()
            guard let name = string(), take(UInt8(ascii: ":")), let value = value() else { return nil }
            members.append(JSON.Member(name, value))
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func list() -> JSON? {
        place += 1
        var values: [JSON] = []
        if take(UInt8(ascii: "]")) { return .list([]) }
        repeat {
            guard let value = value() else { return nil }
            values.append(value)
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) ? .list(values) : nil
    }

    private mutating func number() -> JSON? {
        let isNegative = next == UInt8(ascii: "-")
        if isNegative { place += 1 }
        var (number, digits) = (0, 0)
        while case let digit = Int(next) - 48, (0...9).contains(digit) {
            guard digits < 18 else { return nil }
            number = number * 10 + digit
            digits += 1
            place += 1
        }
        return digits > 0 ? .number(isNegative ? -number : number) : nil
    }

    private mutating func string() -> String? {
        guard next == UInt8(ascii: "\"") else { return nil }
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\") { place += 1 }
        guard place < bytes.count else { return nil }
        if bytes[place] == UInt8(ascii: "\"") {
            defer { place += 1 }
            return String(validating: bytes[start..<place], as: UTF8.self)
        }
        return escapedString(from: start)
    }

    /// From the first escape on, which stands at `place`.
    private mutating func escapedString(from start: Int) -> String? {
        var text = Array(bytes[start..<place])
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            let byte = bytes[place]
            place += 1
            guard byte == UInt8(ascii: "\\") else {
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
        return String(validating: text, as: UTF8.self)
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
        defer { place += 4 }
        return UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    }
}
