import Foundation
import Games

/// A player's name under the rules of UTS #39, Unicode Security Mechanisms, so that no name passes for another player's
/// or for a word of the hub.
struct PlayerName: Equatable {
    static let characterLimit = 24
    /// A character can have any number of accents, but a name cannot.
    static let scalarLimit = 96
    /// Longer input is not read.
    private static let rawLimit = 8 * scalarLimit
    /// Most nonspacing marks in a row. More would pile up over the lines around the name (section 5.4).
    static let markLimit = 4

    /// Composed (NFC), with single blanks.
    let text: String
    /// The form that is compared, equal for all names that look alike in either case.
    let folded: String

    init(_ raw: String) throws(Rejection) {
        guard raw.unicodeScalars.count <= Self.rawLimit else { throw .tooLong }
        let text = Self.normalized(raw)
        guard !text.isEmpty else {
            throw Rejection("name-blank", "A name needs at least one visible character.")
        }
        guard text.count <= Self.characterLimit, text.unicodeScalars.count <= Self.scalarLimit else { throw .tooLong }
        let letters = NameLetters(of: text)
        if let refused = letters.firstRefused { throw .character(refused) }
        guard letters.marksAreFew(limit: Self.markLimit) else {
            throw Rejection(
                "name-marks", "A letter can have at most \(Self.markLimit) accents, none of them twice.",
                values: ["limit": .integer(Self.markLimit)])
        }
        guard letters.digitSystems.count <= 1 else {
            throw Rejection("name-digits", "Use one kind of digit in a name: 2 or २, not both.")
        }
        guard letters.areOfOneWriting else {
            if let foreign = letters.firstForeign { throw .character(foreign) }
            throw .scripts(letters.scripts)
        }
        guard !ReservedNames.contain(text) else {
            throw Rejection("name-reserved", "This name is reserved.")
        }
        self.text = text
        folded = Self.skeleton(of: text)
    }

    /// Any text in the form that is compared, even if it could not be a name today.
    static func folded(_ raw: String) -> String { skeleton(of: normalized(raw)) }

    /// The stored form: blanks joined, boxed letters and other widths replaced (NFKC), and everything removed that only
    /// changes how other characters are drawn.
    private static func normalized(_ raw: String) -> String {
        // A mark on a blank of any kind disappears with it.
        let scalars = raw.unicodeScalars.lazy.filter { !$0.onlyChangesDrawing }
            .map { $0.properties.isWhitespace ? " " : $0 }
        let words = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ").map { $0.isEmoji ? String($0) : $0.compatible }.joined()
            .precomposedStringWithCanonicalMapping
        // Some Greek letters have a capital that looks like one Latin letter and a small form that looks like another.
        // With one capital in each word, a name looks like only one other name.
        let isGreek = text.unicodeScalars.contains { (0x370...0x3FF).contains($0.value) }
        return isGreek && skeleton(of: text) != skeleton(of: text.capitalized) ? text.capitalized : text
    }

    /// The skeleton of section 4, in either case, without signs at both ends.
    static func skeleton(of text: String) -> String {
        var scalars = text.withoutSignsAround.flatMap { character in
            let parts = [Unicode.Scalar](character.unicodeScalars).decomposed
            return character.isFlagOfRegion ? parts : parts.filter { !$0.isLeftOutOfSkeletons }
        }
        if scalars.contains(where: \.isRightToLeft) {
            // A number may be on either side of such letters, depending on the direction of the text.
            scalars = scalars.filter { !$0.isDigit && $0 != " " } + scalars.filter(\.isDigit)
        }
        let plain = String(scalars.map(\.prototypeOfCapital)).decomposedStringWithCompatibilityMapping
        // Up and then down, so that ß equals SS and ς equals σ.
        let small = plain.uppercased().lowercased().decomposedStringWithCompatibilityMapping
        var skeleton = ""
        for scalar in small.unicodeScalars {
            // The dot of an i is not an accent.
            if scalar == "\u{307}", let last = skeleton.unicodeScalars.last, last == "i" || last == "j" { continue }
            skeleton += UnicodeSecurity.prototypes[scalar] ?? String(scalar)
        }
        return skeleton.decomposedStringWithCanonicalMapping
    }
}

extension Rejection {
    fileprivate static let tooLong = Rejection(
        "name-too-long",
        "A name can have at most \(PlayerName.characterLimit) characters and \(PlayerName.scalarLimit) code points.",
        values: ["range": .integers([1, PlayerName.characterLimit])])

    fileprivate static func character(_ refused: Unicode.Scalar) -> Rejection {
        guard refused.isVisible else {
            return Rejection("name-invisible", "A name cannot have control characters or invisible ones.")
        }
        // A mark alone is invisible, so it is shown on a circle.
        let shown = (refused.isMark ? "\u{25CC}" : "") + String(refused)
        let point = String(refused.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - point.count)) + point
        return Rejection(
            "name-character",
            "A name can have letters, digits, spaces, emoji and some symbols, but not \(shown) (U+\(padded)).",
            values: ["character": .string(shown)])
    }

    fileprivate static func scripts(_ scripts: [String]) -> Rejection {
        let english = Locale(identifier: "en")
        let names = scripts.map { english.localizedString(forScriptCode: $0) ?? $0 }
        return Rejection(
            "name-scripts", "Use one script in a name. This one mixes \(names.joined(separator: " and ")).",
            values: ["scripts": .strings(scripts)])
    }
}

extension String {
    /// Without leading and trailing signs and blanks; unchanged if there is nothing else.
    fileprivate var withoutSignsAround: Substring {
        guard let first = firstIndex(where: { !$0.isSign }), let last = lastIndex(where: { !$0.isSign }) else {
            return self[...]
        }
        return self[first...last]
    }
}

extension Character {
    /// One form for full width, half width, bold, and ligatures (NFKC).
    fileprivate var compatible: String {
        unicodeScalars.map { scalar in
            let compatible = String(scalar).precomposedStringWithCompatibilityMapping
            // A lone accent would become a blank with the accent on it.
            return scalar.isKeptAsWritten || compatible.unicodeScalars.first == " " ? String(scalar) : compatible
        }.joined()
    }

    fileprivate var isSign: Bool {
        guard !isEmoji else { return false }
        return unicodeScalars.allSatisfy {
            $0.isApostrophe || !($0.isLetter || $0.isMark || $0.properties.numericType != nil)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isRightToLeft: Bool { (0x590...0x8FF).contains(value) }
    /// These include letters, since some languages write a consonant this way.
    fileprivate var isApostrophe: Bool { value == 0x2BB || value == 0x2BC }

    /// Stretches Arabic letters, or chooses how an ideograph is drawn.
    fileprivate var onlyChangesDrawing: Bool { value == 0x640 || (0xE0100...0xE01EF).contains(value) }

    /// Would be drawn differently after NFKC: Thai and Lao vowels, single Hangul letters.
    fileprivate var isKeptAsWritten: Bool { value == 0xE33 || value == 0xEB3 || (0x3131...0x3163).contains(value) }

    /// Names do not differ by how emoji are drawn or joined, nor by a line below letters.
    fileprivate var isLeftOutOfSkeletons: Bool {
        properties.isDefaultIgnorableCodePoint || value == 0x20E3 || value == 0x331 || value == 0x332
    }

    /// Replaces Greek capitals that look Latin while their small letters do not, and the letters of flags.
    fileprivate var prototypeOfCapital: Unicode.Scalar {
        switch value {
        case 0x397: "H"
        case 0x39D: "N"
        case 0x3A5: "Y"
        case 0x1F1E6...0x1F1FF: Unicode.Scalar(UInt8(value - 0x1F1E6) + UInt8(ascii: "a"))
        default: self
        }
    }
}
