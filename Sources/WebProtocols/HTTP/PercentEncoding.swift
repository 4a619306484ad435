/// Percent-encoding (RFC 3986 section 2.1).
enum PercentEncoding {
    /// The decoded bytes; nil if a percent sign is not followed by two hexadecimal digits. In forms, a plus sign is a
    /// space.
    static func decode(_ text: Substring.UTF8View, plusIsSpace: Bool = false) -> [UInt8]? {
        var bytes = [UInt8]()
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexDigit, let low = rest.next()?.hexDigit else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
