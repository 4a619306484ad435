/// UTF-8 as it arrives (RFC 3629): the bytes so far can be checked before the rest has come.
enum UTF8Validation {
    static func isValid(_ bytes: Span<UInt8>) -> Bool {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes)
            return true
        } catch { return false }
    }

    /// How many bytes at the end, 0 to 3, start a code point that can still become valid. Bytes that cannot are not
    /// counted, so that checking the rest fails at once.
    static func openEnd(of bytes: Span<UInt8>) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            guard back < size(lead: byte) else { return 0 }
            if back >= 2, !seconds(lead: byte).contains(bytes[bytes.count - back + 1]) { return 0 }
            return back
        }
        return 0
    }

    /// Bytes of the code point that `lead` starts; 1 if it starts none.
    private static func size(lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// The range of the second byte, which excludes overlong forms, surrogates and anything past U+10FFFF.
    private static func seconds(lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }
}
