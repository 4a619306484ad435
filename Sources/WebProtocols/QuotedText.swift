/// A part of a field's value.
typealias Text = Substring.UTF8View

/// The parts between separators outside quotes, without the blanks around them.
func parts(of text: Text, at separator: Unicode.Scalar) -> [Text] {
    var (parts, start, isQuoted, isEscaped) = ([Text](), text.startIndex, false, false)
    for index in text.indices {
        switch text[index] {
        case _ where isEscaped: isEscaped = false
        case UInt8(ascii: "\\") where isQuoted: isEscaped = true
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: separator) where !isQuoted:
            parts.append(text[start..<index].trimmed)
            start = text.index(after: index)
        default: break
        }
    }
    return parts + [text[start...].trimmed]
}

/// The value without its quotes (RFC 9110 section 5.6.4); nil if they do not match. Unquoted colons and brackets are
/// accepted, since some proxies write them.
func unquoted(_ value: Text) -> String? {
    guard value.first == UInt8(ascii: "\"") else {
        return value.isEmpty || value.contains { $0 == UInt8(ascii: "\"") || $0.isBlank } ? nil : String(value)
    }
    var (bytes, isEscaped) = ([UInt8](), false)
    for (offset, byte) in value.dropFirst().enumerated() {
        if isEscaped || byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"") {
            bytes.append(byte)
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else {
            return offset == value.count - 2 ? String(validating: bytes, as: UTF8.self) : nil
        }
    }
    return nil
}
