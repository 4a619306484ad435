import Foundation
import Games

/// A name that a player may bear.
struct PlayerName: Equatable {
    static let characterLimit = 24
    /// A character can carry any number of accents; a name cannot.
    static let scalarLimit = 96

    let text: String
    /// As names are compared: after NFKC and case folding.
    let folded: String

    init(_ raw: String) throws(Rejection) {
        let text = raw.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            throw Rejection("name-blank", "A name has at least one character that can be seen.")
        }
        guard text.count <= Self.characterLimit, text.unicodeScalars.count <= Self.scalarLimit else {
            throw Rejection(
                "name-too-long", "A name has at most \(Self.characterLimit) characters.",
                values: ["range": .integers([1, Self.characterLimit])])
        }
        guard Self.isVisible(text) else {
            throw Rejection("name-invisible", "A name has no control characters and none that cannot be seen.")
        }
        self.text = text
        folded = Self.folded(text)
    }

    /// Any text as names are compared: also one that could not be a name today.
    static func folded(_ raw: String) -> String {
        // How emoji are drawn, or joined, tells no two names apart.
        let text = raw.trimmingCharacters(in: .whitespacesAndNewlines)
        var bare = String.UnicodeScalarView()
        bare.append(contentsOf: text.unicodeScalars.filter { ![0x200D, 0xFE0E, 0xFE0F].contains($0.value) })
        let compatible = String(bare).precomposedStringWithCompatibilityMapping
        // Up and then down: so that ß and SS, ς and σ are the same.
        return compatible.uppercased().lowercased().precomposedStringWithCompatibilityMapping
    }

    private static func isVisible(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        return scalars.indices.allSatisfy { index in
            let scalar = scalars[index]
            switch scalar.value {
            // The joiner and the selectors that emoji are made with, where they follow one.
            case 0x200D: return index > 0 && index < scalars.count - 1 && isEmojiPart(scalars[index - 1])
            case 0xFE0E, 0xFE0F: return index > 0 && isEmoji(scalars[index - 1])
            // The Braille blank is a symbol by category, and nothing by its looks.
            case 0x2800: return false
            default: break
            }
            if scalar.properties.isDefaultIgnorableCodePoint { return false }
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                return false
            case .spaceSeparator: return scalar == " "
            default: return true
            }
        }
    }

    /// Unicode counts digits among them.
    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isEmoji && !scalar.isASCII }

    private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool { isEmoji(scalar) || scalar.value == 0xFE0F }
}
