import Foundation

/// The tables of UTS #39, combined with what Swift knows about characters.
enum UnicodeSecurity {
    /// What a character is replaced by when names are compared. Characters without an entry stay.
    static let prototypes: [Unicode.Scalar: String] = {
        var prototypes: [Unicode.Scalar: String] = [:]
        for word in UnicodeSecurityTables.prototypes.split(whereSeparator: \.isWhitespace) {
            let sides = word.split(separator: ":")
            let prototype = String(sides[0].split(separator: "+").compactMap { scalar($0) })
            for source in sides[1].split(separator: ",").compactMap({ scalar($0) }) { prototypes[source] = prototype }
        }
        return prototypes
    }()

    private static let letters: [Letters] = UnicodeSecurityTables.letters.split(separator: "\n").flatMap { line in
        let words = line.split(separator: " ")
        let scripts = Set(words[0].split(separator: "+").map(String.init))
        return words.dropFirst().compactMap { Letters(range: $0, scripts: scripts) }
    }

    private struct Letters {
        let points: ClosedRange<UInt32>
        let scripts: Set<String>

        init?(range: Substring, scripts: Set<String>) {
            let ends = range.split(separator: "-").compactMap { UInt32($0, radix: 16) }
            guard let first = ends.first, let last = ends.last else { return nil }
            (points, self.scripts) = (first...last, scripts)
        }
    }

    /// The scripts that use a character, as ISO 15924 codes; nil if names cannot have it.
    static func scripts(of scalar: Unicode.Scalar) -> Set<String>? {
        if scalar == " " { return ["Zyyy"] }
        if scalar.properties.isUnifiedIdeograph { return ["Hani"] }
        if (0xAC00...0xD7A3).contains(scalar.value) { return ["Hang"] }
        if let found = letters.first(where: { $0.points.contains(scalar.value) }) { return found.scripts }
        let parts = [scalar].decomposed
        guard parts.count > 1 else { return nil }
        var scripts = Set<String>()
        for part in parts {
            guard let others = Self.scripts(of: part) else { return nil }
            if others != ["Zinh"] { scripts = scripts.isEmpty ? others : scripts.intersection(others) }
        }
        return scripts
    }

    private static func scalar(_ hexadecimal: Substring) -> Unicode.Scalar? {
        UInt32(hexadecimal, radix: 16).flatMap { Unicode.Scalar($0) }
    }
}

extension Set<String> {
    /// With the combined scripts of Chinese, Japanese and Korean (UTS #39, section 5.1).
    var augmented: Set<String> {
        var codes = self
        for (script, writings) in [
            ("Hani", ["Hanb", "Jpan", "Kore"]), ("Hira", ["Jpan"]), ("Kana", ["Jpan"]), ("Hang", ["Kore"]),
            ("Bopo", ["Hanb"]),
        ] where contains(script) { codes.formUnion(writings) }
        return codes
    }
}

extension Character {
    /// England, Scotland or Wales. Other regions in this form are shown as a black flag (UTS #51, annex C).
    var isFlagOfRegion: Bool {
        let tags = unicodeScalars.dropFirst().compactMap { UInt8(exactly: $0.value &- 0xE0000) }
        return unicodeScalars.first?.value == 0x1F3F4
            && ["gbeng", "gbsct", "gbwls"].contains { tags == Array($0.utf8) + [0x7F] }
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { properties.generalCategory == .decimalNumber }
    var isJoiner: Bool { value == 0x200C || value == 0x200D }
    var isMark: Bool { isNonspacingMark || properties.generalCategory == .spacingMark }
    var isNonspacingMark: Bool { [.nonspacingMark, .enclosingMark].contains(properties.generalCategory) }
    var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    var isVisible: Bool {
        // The Braille blank is a symbol by category, but shows nothing.
        if properties.isDefaultIgnorableCodePoint || value == 0x2800 { return false }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            return false
        default: return true
        }
    }
}

extension String {
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}

extension [Unicode.Scalar] {
    /// Each decomposed into its parts (NFD).
    var decomposed: [Unicode.Scalar] { Array(String(self).decomposedStringWithCanonicalMapping.unicodeScalars) }
}
