import Foundation
import Games

/// A name that a player may bear, by the rules of UTS #39, Unicode Security Mechanisms: so that nobody's passes for
/// another's, nor for a word of the hub's.
struct PlayerName: Equatable {
    static let characterLimit = 24
    /// A character can carry any number of accents; a name cannot.
    static let scalarLimit = 96
    /// What is longer as it comes is not looked at.
    private static let rawLimit = 8 * scalarLimit
    /// Most nonspacing marks in a row: more pile up over the lines around them (section 5.4).
    static let markLimit = 4

    /// Composed (NFC), with single blanks.
    let text: String
    /// As names are compared: the same for all that look alike, in either case.
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

    /// Any text as names are compared: also one that could not be a name today.
    static func folded(_ raw: String) -> String { skeleton(of: normalized(raw)) }

    /// As a name is kept: blanks joined, letters in boxes or of other widths as they are elsewhere (NFKC), without what
    /// only changes how others are drawn.
    private static func normalized(_ raw: String) -> String {
        // A mark on a blank goes with it, whatever kind of blank that is.
        let scalars = raw.unicodeScalars.lazy.filter { !$0.onlyChangesDrawing }
            .map { $0.properties.isWhitespace ? " " : $0 }
        let words = String(String.UnicodeScalarView(scalars)).split(whereSeparator: \.isWhitespace)
        let text = words.joined(separator: " ").map { $0.isEmoji ? String($0) : $0.compatible }.joined()
            .precomposedStringWithCanonicalMapping
        // Of some Greek letters the capital looks like one Latin letter and the small one like another. With one
        // capital a word, a name looks like one other name alone.
        let isGreek = text.unicodeScalars.contains { (0x370...0x3FF).contains($0.value) }
        return isGreek && skeleton(of: text) != skeleton(of: text.capitalized) ? text.capitalized : text
    }

    /// The skeleton of section 4, of either case, without the signs at both ends.
    static func skeleton(of text: String) -> String {
        var scalars = text.withoutSignsAround.flatMap { character in
            let parts = [Unicode.Scalar](character.unicodeScalars).decomposed
            return character.isFlagOfRegion ? parts : parts.filter { !$0.isLeftOutOfSkeletons }
        }
        if scalars.contains(where: \.isRightToLeft) {
            // A number stands on either side of such letters, as the text around it runs.
            scalars = scalars.filter { !$0.isDigit && $0 != " " } + scalars.filter(\.isDigit)
        }
        let plain = String(scalars.map(\.prototypeOfCapital)).decomposedStringWithCompatibilityMapping
        // Up and then down: so that ß and SS, ς and σ are the same.
        let small = plain.uppercased().lowercased().decomposedStringWithCompatibilityMapping
        var skeleton = ""
        for scalar in small.unicodeScalars {
            // The dot of an i is no accent.
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

    /// `refused` cannot be in a name.
    fileprivate static func character(_ refused: Unicode.Scalar) -> Rejection {
        guard refused.isVisible else {
            return Rejection("name-invisible", "A name cannot have control characters or invisible ones.")
        }
        // A mark is shown on a circle, as it could not be seen alone.
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
    /// Without signs and blanks at its beginning and end; as it is where it consists of them.
    fileprivate var withoutSignsAround: Substring {
        guard let first = firstIndex(where: { !$0.isSign }), let last = lastIndex(where: { !$0.isSign }) else {
            return self[...]
        }
        return self[first...last]
    }
}

extension Character {
    /// Other ways to write the same, as one: full width, half width, bold, in ligatures (NFKC).
    fileprivate var compatible: String {
        unicodeScalars.map { scalar in
            let compatible = String(scalar).precomposedStringWithCompatibilityMapping
            // An accent that stands alone would become a blank and one on it.
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
    /// Letters among them: some languages write a consonant so.
    fileprivate var isApostrophe: Bool { value == 0x2BB || value == 0x2BC }

    /// What stretches Arabic letters, and which drawing of an ideograph is meant.
    fileprivate var onlyChangesDrawing: Bool { value == 0x640 || (0xE0100...0xE01EF).contains(value) }

    /// What NFKC would take apart so that it is no longer drawn as it was: Thai and Lao vowels, single Hangul letters.
    fileprivate var isKeptAsWritten: Bool { value == 0xE33 || value == 0xEB3 || (0x3131...0x3163).contains(value) }

    /// How emoji are drawn, or joined, tells no two names apart, nor does a line below letters.
    fileprivate var isLeftOutOfSkeletons: Bool {
        properties.isDefaultIgnorableCodePoint || value == 0x20E3 || value == 0x331 || value == 0x332
    }

    /// Of Greek capitals that look Latin, unlike their small letters, and of the letters that flags are made of.
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
