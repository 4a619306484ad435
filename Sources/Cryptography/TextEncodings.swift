/// Hexadecimal, base64 and base64url (RFC 4648).
extension [UInt8] {
    /// Two lower-case digits for each byte.
    public var hex: String {
        var text = [UInt8]()
        text.reserveCapacity(count * 2)
        for byte in self {
            text.append(hexDigits[Int(byte >> 4)])
            text.append(hexDigits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil unless `hex` is an even number of hexadecimal digits, of either case.
    public init?(hex: some StringProtocol) {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            append(high << 4 | low)
        }
    }

    /// RFC 4648 section 4, with padding.
    public var base64: String { base64Text(self, alphabet: standardAlphabet, padded: true) }

    /// RFC 4648 section 5, without padding.
    public var base64URL: String { base64Text(self, alphabet: urlAlphabet, padded: false) }

    /// Decodes base64 (section 4, padded); nil if `text` is not canonical.
    public init?(base64 text: some StringProtocol) {
        guard text.utf8.count.isMultiple(of: 4),
            let bytes = base64Bytes(Array(text.utf8), alphabet: standardAlphabet), bytes.base64 == text
        else { return nil }
        self = bytes
    }

    /// Decodes base64url (section 5, unpadded); nil if `text` is not canonical.
    public init?(base64URL text: some StringProtocol) {
        guard let bytes = base64Bytes(Array(text.utf8), alphabet: urlAlphabet), bytes.base64URL == text else {
            return nil
        }
        self = bytes
    }
}

private let hexDigits = Array("0123456789abcdef".utf8)
private let standardAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
private let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

private func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}

private func base64Text(_ bytes: [UInt8], alphabet: [UInt8], padded: Bool) -> String {
    var text = [UInt8]()
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var (bits, count) = (0, 0)
    for byte in bytes {
        (bits, count) = ((bits << 8 | Int(byte)) & 0xFFFF, count + 8)
        while count >= 6 {
            count -= 6
            text.append(alphabet[bits >> count & 63])
        }
    }
    if count > 0 { text.append(alphabet[bits << (6 - count) & 63]) }
    while padded, !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
}

private func base64Bytes(_ text: [UInt8], alphabet: [UInt8]) -> [UInt8]? {
    var bytes = [UInt8]()
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    var (bits, count) = (0, 0)
    for character in text where character != UInt8(ascii: "=") {
        guard let value = base64Value(character, alphabet) else { return nil }
        (bits, count) = ((bits << 6 | value) & 0xFFFFFF, count + 6)
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(bits >> count & 0xFF))
        }
    }
    return bytes
}

private func base64Value(_ character: UInt8, _ alphabet: [UInt8]) -> Int? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0")) + 52
    case alphabet[62]: 62
    case alphabet[63]: 63
    default: nil
    }
}
