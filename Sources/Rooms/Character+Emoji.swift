extension Character {
    /// Whether it is shown as an emoji, with one code point or several (UTS #51, section 1.4.9).
    public var isEmoji: Bool {
        let scalars = Array(unicodeScalars)
        guard let first = scalars.first, let last = scalars.last, last.value != 0x200D else { return false }
        if first.isASCII { return last.value == 0x20E3 && "#*0123456789".unicodeScalars.contains(first) }
        let isFlag = first.value == 0x1F3F4 && last.value == 0xE007F
        return first.properties.isEmoji
            && scalars.allSatisfy { scalar in
                switch scalar.value {
                case 0x200D, 0xFE0E, 0xFE0F, 0x20E3: true
                case 0xE0020...0xE007F: isFlag
                default: scalar.properties.isEmoji && !scalar.isASCII
                }
            }
    }
}
