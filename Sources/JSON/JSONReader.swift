/// Reads one JSON text (RFC 8259) into a `Value`. If an object has a name twice, the last value counts. 2.0 is the
/// integer 2, as in JSON Schema.
public struct JSONReader {
    /// No message is deeper than five. A text of brackets alone must not exhaust the stack.
    static let depthLimit = 16
    /// `Fields` are searched one by one, so thousands of names could keep a hub busy.
    static let fieldLimit = 128
    /// A value takes some ten times the memory of the two bytes that suffice to write it. The largest board's shuffle
    /// has 300.
    public static let valueLimit = 4_096
    /// A client's message has a dozen. Thousands in each message would keep a hub busy.
    public static let clientValueLimit = 128

    private let valueLimit: Int
    private var offset = 0
    private var values = 0

    private init(valueLimit: Int) { self.valueLimit = valueLimit }

    /// Reads one value, which must take up all of `bytes`.
    public static func read(_ bytes: RawSpan, valueLimit: Int = valueLimit) throws(JSONViolation) -> Value {
        // Checked once, so that strings are copied unchecked.
        guard isUTF8(bytes) else { throw JSONViolation(reason: .notUTF8, offset: 0) }
        var reader = JSONReader(valueLimit: valueLimit)
        let value = try reader.value(bytes, depth: 0)
        reader.skipSpace(bytes)
        guard reader.offset == bytes.byteCount else { throw reader.violation(.trailingBytes) }
        return value
    }

    /// The same for an array.
    public static func read(_ bytes: [UInt8], valueLimit: Int = valueLimit) throws(JSONViolation) -> Value {
        try read(bytes.span.bytes, valueLimit: valueLimit)
    }

    /// The fields of an object after `start`, the bytes of its first fields: `names`, none with a list or an object as
    /// its value. Nil if `bytes` do not begin with `start`, or if only `read` can read them.
    public static func fields(of bytes: [UInt8], after start: [UInt8], _ names: [String]) -> Fields? {
        let (text, opening) = (bytes.span, start.span)
        guard text.count > opening.count else { return nil }
        for index in opening.indices where text[index] != opening[index] { return nil }
        guard isUTF8(text.bytes) else { return nil }
        var reader = JSONReader(valueLimit: valueLimit)
        (reader.offset, reader.values) = (start.count, 1 + names.count)
        var fields = Fields()
        do throws(JSONViolation) {
            if try !reader.isLast(text.bytes, closing: UInt8(ascii: "}")) {
                fields.reserveCapacity(8)
                try reader.readElements(text.bytes, into: &fields, depth: 0)
            }
        } catch { return nil }
        reader.skipSpace(text.bytes)
        guard reader.offset == text.count, fields.count + names.count <= fieldLimit,
            !fields.elements.contains(where: { names.contains($0.0) })
        else { return nil }
        return fields
    }

    private static func isUTF8(_ bytes: RawSpan) -> Bool {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes._unsafeView(as: UInt8.self))
            return true
        } catch { return false }
    }

    private func violation(_ reason: JSONViolation.Reason) -> JSONViolation {
        JSONViolation(reason: reason, offset: offset)
    }

    private func peek(_ bytes: RawSpan) -> UInt8? { offset < bytes.byteCount ? bytes.byte(offset) : nil }

    private mutating func skipSpace(_ bytes: RawSpan) {
        while let byte = peek(bytes), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    private mutating func value(_ bytes: RawSpan, depth: Int) throws(JSONViolation) -> Value {
        skipSpace(bytes)
        guard let byte = peek(bytes) else { throw violation(.unexpectedEnd) }
        guard depth < Self.depthLimit else { throw violation(.tooDeep) }
        values += 1
        guard values <= valueLimit else { throw violation(.tooManyValues(limit: valueLimit)) }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth))
        case UInt8(ascii: "["): return .list(try list(bytes, depth: depth))
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "t"): return try word(bytes, "true", .bool(true))
        case UInt8(ascii: "f"): return try word(bytes, "false", .bool(false))
        case UInt8(ascii: "n"): return try word(bytes, "null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
        default: throw violation(.unexpectedByte)
        }
    }

    private mutating func word(_ bytes: RawSpan, _ word: StaticString, _ value: Value) throws(JSONViolation) -> Value {
        for index in 0..<word.utf8CodeUnitCount {
            guard let byte = peek(bytes) else { throw violation(.unexpectedEnd) }
            guard byte == word.utf8Start[index] else { throw violation(.unexpectedByte) }
            offset += 1
        }
        return value
    }

    private mutating func object(_ bytes: RawSpan, depth: Int) throws(JSONViolation) -> Fields {
        var fields = Fields()
        offset += 1
        skipSpace(bytes)
        if peek(bytes) == UInt8(ascii: "}") {
            offset += 1
            return fields
        }
        // Most events and commands have fewer.
        fields.reserveCapacity(8)
        try readElements(bytes, into: &fields, depth: depth)
        return fields
    }

    /// The elements from here on and the closing bracket.
    private mutating func readElements(
        _ bytes: RawSpan, into fields: inout Fields, depth: Int
    ) throws(JSONViolation) {
        while true {
            skipSpace(bytes)
            guard let quote = peek(bytes) else { throw violation(.unexpectedEnd) }
            guard quote == UInt8(ascii: "\"") else { throw violation(.unexpectedByte) }
            guard fields.count < Self.fieldLimit else { throw violation(.tooManyFields) }
            let name = try string(bytes)
            skipSpace(bytes)
            guard let colon = peek(bytes) else { throw violation(.unexpectedEnd) }
            guard colon == UInt8(ascii: ":") else { throw violation(.unexpectedByte) }
            offset += 1
            fields[name] = try value(bytes, depth: depth + 1)
            if try isLast(bytes, closing: UInt8(ascii: "}")) { return }
        }
    }

    private mutating func list(_ bytes: RawSpan, depth: Int) throws(JSONViolation) -> [Value] {
        var values: [Value] = []
        offset += 1
        skipSpace(bytes)
        if peek(bytes) == UInt8(ascii: "]") {
            offset += 1
            return values
        }
        while true {
            values.append(try value(bytes, depth: depth + 1))
            if try isLast(bytes, closing: UInt8(ascii: "]")) { return values }
        }
    }

    /// Reads the comma or the closing bracket that follows a member.
    private mutating func isLast(_ bytes: RawSpan, closing: UInt8) throws(JSONViolation) -> Bool {
        skipSpace(bytes)
        guard let byte = peek(bytes) else { throw violation(.unexpectedEnd) }
        guard byte == closing || byte == UInt8(ascii: ",") else { throw violation(.unexpectedByte) }
        offset += 1
        return byte == closing
    }

    private mutating func number(_ bytes: RawSpan) throws(JSONViolation) -> Value {
        let start = offset
        if let integer = plainInteger(bytes) { return .integer(integer) }
        offset = start
        if peek(bytes) == UInt8(ascii: "-") { offset += 1 }
        let first = peek(bytes)
        guard skipDigits(bytes) > 0 else { throw violation(.badNumber) }
        if first == UInt8(ascii: "0"), offset - start > (bytes.byte(start) == UInt8(ascii: "-") ? 2 : 1) {
            throw violation(.badNumber)
        }
        var isInteger = true
        if peek(bytes) == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            guard skipDigits(bytes) > 0 else { throw violation(.badNumber) }
        }
        if peek(bytes) == UInt8(ascii: "e") || peek(bytes) == UInt8(ascii: "E") {
            isInteger = false
            offset += 1
            if peek(bytes) == UInt8(ascii: "+") || peek(bytes) == UInt8(ascii: "-") { offset += 1 }
            guard skipDigits(bytes) > 0 else { throw violation(.badNumber) }
        }
        let text = bytes.text(start..<offset)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let fraction = Double(text), fraction.isFinite else { throw violation(.badNumber) }
        // Past 2^53 several texts are the same Double, and it is not known which number was meant.
        if fraction.magnitude <= 0x1p53, let integer = Int(exactly: fraction) { return .integer(integer) }
        return .fraction(fraction)
    }

    /// Nearly all numbers have few digits. For any other this is nil, and may have consumed some digits.
    private mutating func plainInteger(_ bytes: RawSpan) -> Int? {
        let isNegative = peek(bytes) == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let start = offset
        var number = 0
        while let byte = peek(bytes), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), offset - start < 18 {
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            offset += 1
        }
        let isWhole = offset - start == 1 || offset > start && bytes.byte(start) != UInt8(ascii: "0")
        switch peek(bytes) ?? 0 {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
        default: return isWhole ? (isNegative ? -number : number) : nil
        }
    }

    private mutating func skipDigits(_ bytes: RawSpan) -> Int {
        let start = offset
        while let byte = peek(bytes), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
        return offset - start
    }

    private mutating func string(_ bytes: RawSpan) throws(JSONViolation) -> String {
        offset += 1
        let start = offset
        while let byte = peek(bytes), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { return try escapedString(bytes, from: start) }
            guard byte >= 0x20 else { throw violation(.controlCharacter) }
            offset += 1
        }
        guard offset < bytes.byteCount else { throw violation(.unexpectedEnd) }
        defer { offset += 1 }
        return bytes.text(start..<offset)
    }

    /// A string with an escape; `start` is its first byte.
    private mutating func escapedString(_ bytes: RawSpan, from start: Int) throws(JSONViolation) -> String {
        var text = bytes.text(start..<offset)
        while let byte = peek(bytes), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                text.unicodeScalars.append(try escape(bytes))
                continue
            }
            let run = offset
            while let byte = peek(bytes), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                guard byte >= 0x20 else { throw violation(.controlCharacter) }
                offset += 1
            }
            text += bytes.text(run..<offset)
        }
        guard offset < bytes.byteCount else { throw violation(.unexpectedEnd) }
        offset += 1
        return text
    }

    private mutating func escape(_ bytes: RawSpan) throws(JSONViolation) -> Unicode.Scalar {
        offset += 1
        guard let byte = peek(bytes) else { throw violation(.unexpectedEnd) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(bytes)
        default: throw violation(.badEscape)
        }
    }

    /// Four digits, or a surrogate pair of two such escapes (RFC 8259 section 7); half a pair is refused.
    private mutating func unicodeEscape(_ bytes: RawSpan) throws(JSONViolation) -> Unicode.Scalar {
        let unit = try fourDigits(bytes)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, peek(bytes) == UInt8(ascii: "\\") else { throw violation(.badEscape) }
        offset += 1
        guard peek(bytes) == UInt8(ascii: "u") else { throw violation(.badEscape) }
        offset += 1
        let low = try fourDigits(bytes)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw violation(.badEscape) }
        return scalar
    }

    private mutating func fourDigits(_ bytes: RawSpan) throws(JSONViolation) -> UInt32 {
        guard offset + 4 <= bytes.byteCount else { throw violation(.unexpectedEnd) }
        var unit: UInt32 = 0
        for index in offset..<offset + 4 {
            guard let digit = Character(Unicode.Scalar(bytes.byte(index))).hexDigitValue else {
                throw violation(.badEscape)
            }
            unit = unit << 4 | UInt32(digit)
        }
        offset += 4
        return unit
    }
}

extension RawSpan {
    fileprivate func byte(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    fileprivate func text(_ range: Range<Int>) -> String {
        extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
