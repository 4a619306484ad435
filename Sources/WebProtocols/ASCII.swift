/// The character classes of RFC 9110 section 5.6 and RFC 5234, appendix B.
extension UInt8 {
    /// Whether methods, field names and list members may contain it (`tchar`).
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// A space or a tab, which may surround values (`OWS`).
    var isBlank: Bool { self == UInt8(ascii: " ") || self == 0x09 }

    /// Whether a line may contain it: anything but controls, and tabs.
    var isLineCharacter: Bool { self >= 0x20 && self != 0x7F || self == 0x09 }

    var isVisible: Bool { (0x21...0x7E).contains(self) }
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// 0 to 15; nil if this is not a hexadecimal digit.
    var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    var lowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}

extension StringProtocol {
    /// Whether this is one or more token characters and nothing else.
    var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenCharacter) }

    /// Whether both are equal apart from the case of ASCII letters, which is how names and tokens are compared.
    func matches(_ other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// Without the blanks around it.
    var trimmed: Self {
        var rest = drop(while: \.isBlank)
        while let last = rest.last, last.isBlank { rest.removeLast() }
        return rest
    }
}
