import Foundation

/// A name's characters and their scripts, judged by UTS #39. Emoji, blanks and signs go with every script.
struct NameLetters {
    /// The first character that is not allowed in names.
    private(set) var firstRefused: Unicode.Scalar?
    /// The digit zero of each kind of digits in the name.
    private(set) var digitSystems: Set<UInt32> = []
    /// Whether each mark follows a letter, a digit, or another mark that does.
    private var marksAreInPlace = true
    private var (longestRunOfMarks, runOfMarks) = (0, 0)
    /// The scalar before the current one; nil at the start, and after an emoji or blank.
    private var last: Unicode.Scalar?
    /// The scripts of each character, except of those that go with every script.
    private var sets: [(scalar: Unicode.Scalar, scripts: Set<String>)] = []

    init(of text: String) {
        for character in text {
            let isJudged = !character.isEmoji && character != " "
            judge(isJudged ? Array(character.unicodeScalars) : [])
        }
    }

    func marksAreFew(limit: Int) -> Bool { marksAreInPlace && longestRunOfMarks <= limit }

    /// Highly restrictive (section 5.2): a single script, or Latin with the scripts of Chinese, Japanese or Korean.
    var areOfOneWriting: Bool { Self.areOfOneWriting(sets) }

    /// The scripts to report for a mixed name, the first one first: those of letters with one script, and Latin, where
    /// people know the accents and signs of several scripts from.
    var scripts: [String] {
        var seen: [String] = []
        for (_, set) in sets.filter({ $0.scripts.count == 1 }) + sets where set.isDisjoint(with: seen) {
            if let script = set.count == 1 ? set.first : set.first(where: { $0 == "Latn" }) { seen.append(script) }
        }
        return seen
    }

    /// The character to report for a mixed name, which belongs to several scripts but goes with none of the others; nil
    /// if `scripts` explain the refusal.
    var firstForeign: Unicode.Scalar? {
        let named = sets.filter { $0.scripts.count == 1 || $0.scripts.contains("Latn") }
        guard Self.areOfOneWriting(named) else { return nil }
        let others = sets.filter { $0.scripts.count > 1 && !$0.scripts.contains("Latn") }
        return (others.first { !Self.areOfOneWriting(named + [$0]) } ?? others.last)?.scalar
    }

    private static func areOfOneWriting(_ sets: [(scalar: Unicode.Scalar, scripts: Set<String>)]) -> Bool {
        let sets = sets.map(\.scripts.augmented)
        guard common(to: sets)?.isEmpty ?? false else { return true }
        let others = common(to: sets.filter { !$0.contains("Latn") }) ?? []
        return !others.isDisjoint(with: ["Hanb", "Jpan", "Kore"])
    }

    /// The common elements of `sets`; nil if there are no sets.
    private static func common(to sets: [Set<String>]) -> Set<String>? {
        sets.dropFirst().reduce(sets.first) { $0?.intersection($1) }
    }

    /// Judges the scalars of one character; empty for an emoji or blank.
    private mutating func judge(_ scalars: [Unicode.Scalar]) {
        if scalars.isEmpty { last = nil }
        for (index, scalar) in scalars.enumerated() where !(scalar.isJoiner && Self.joins(scalars, at: index)) {
            guard let scripts = UnicodeSecurity.scripts(of: scalar) else {
                // An emoji may be followed by something wrong, but is not wrong itself.
                if scalar.properties.isEmoji { continue }
                firstRefused = firstRefused ?? scalar
                return
            }
            if scripts.isDisjoint(with: ["Zyyy", "Zinh"]) { sets.append((scalar, scripts)) }
            if scalar.isDigit, let digit = scalar.properties.numericValue {
                digitSystems.insert(scalar.value - UInt32(digit))
            }
        }
        for scalar in scalars.decomposed {
            if scalar.isMark, !(last?.bears(scalar) ?? false) { marksAreInPlace = false }
            runOfMarks = scalar.isNonspacingMark ? runOfMarks + 1 : 0
            longestRunOfMarks = max(longestRunOfMarks, runOfMarks)
            last = scalar
        }
    }

    /// Whether the joiner or non-joiner at `index` changes how the letters around it are written: after the virama of
    /// Indic scripts, between the Bengali letter ra and its virama, and after Arabic letters (UAX #31, section 2.3).
    private static func joins(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard index > 0 else { return false }
        let before = scalars[index - 1]
        if before.properties.canonicalCombiningClass == .virama { return true }
        if before.value == 0x9B0, scalars[index].value == 0x200D {
            return scalars.indices.contains(index + 1) && scalars[index + 1].value == 0x9CD
        }
        return scalars[index].value == 0x200C && UnicodeSecurity.scripts(of: before)?.contains("Arab") ?? false
    }
}

extension Unicode.Scalar {
    /// Whether `mark` can follow it.
    fileprivate func bears(_ mark: Unicode.Scalar) -> Bool {
        self != mark && (isLetter || isDigit || isMark || isJoiner)
    }
}
