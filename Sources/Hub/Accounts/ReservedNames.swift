/// Words that the hub and its page use for something other than a player. A player with such a name would pass for it.
enum ReservedNames {
    /// What the page calls players in its languages (a test compares them), and names of people who run a hub.
    private static let words = [
        "you", "someone", "some one", "somebody", "some body", "anyone", "any one", "everyone", "every one", "nobody",
        "no body", "computer", "bot", "robot", "free", "host", "admin", "administrator", "moderator", "operator",
        "owner", "staff", "support", "system", "server", "hub", "Flipside",
        "tú", "alguien", "nadie", "computadora", "ordenador", "libre", "dirige", "anfitrión", "anfitriona",
        "administrador", "administradora", "moderador", "moderadora", "operador", "operadora", "sistema", "servidor",
        "du", "jemand", "niemand", "alle", "Rechner", "frei", "leitet", "Leitung", "Gastgeber", "Gastgeberin",
        "Administratorin", "Moderatorin", "Betreiber", "Betreiberin",
        "你", "有人", "没有人", "所有人", "电脑", "机器人", "空位", "房主", "管理员", "主持人", "系统", "服务器", "客服",
    ].map { Reading($0) }

    /// Whether a name is such a word, even with a number, with signs around it, or with letters that look like its own.
    static func contain(_ name: String) -> Bool {
        var parts = name.split(separator: " ").map { Array($0.unicodeScalars) }
        parts.removeAll { !$0.contains { $0.isLetter || $0.isDigit } }
        while let last = parts.last, parts.count > 1, isNumber(last) { parts.removeLast() }
        guard let first = parts.indices.first, let last = parts.indices.last else { return false }
        var unnumbered = parts
        unnumbered[last].removeSubrange(numberStart(in: unnumbered[last])...)
        unnumbered[first] = Array(unnumbered[first].drop { !$0.isLetter })
        // "H o s t" is one word, but "Bo T." is a name.
        let separator = parts.allSatisfy { $0.count(where: \.isLetter) <= 1 } ? "" : " "
        return [parts, unnumbered].contains { parts in
            let reading = Reading(parts.map { String($0) }.joined(separator: separator))
            return words.contains { reading.passes(for: $0) }
        }
    }

    /// Digits and similar letters, with or without signs. One letter counts, but several do not, since Oo is a name.
    private static func isNumber(_ part: [Unicode.Scalar]) -> Bool {
        part.allSatisfy(\.isPartOfNumber) && (part.count == 1 || !part.allSatisfy(\.isLetter))
    }

    /// Where the number at the end of `part` starts, which is at its first digit or sign.
    private static func numberStart(in part: [Unicode.Scalar]) -> Int {
        let run = part.reversed().prefix(while: \.isPartOfNumber).count
        return part.indices.suffix(run).first { !part[$0].isLetter } ?? part.endIndex
    }

    /// A word in the form that is compared.
    private struct Reading {
        private let letters: String
        private let marks: String
        /// Its letters that are compared as i, in their own spelling: i, l, I, 1.
        private let strokes: [Unicode.Scalar]

        init(_ written: String) {
            let skeleton = PlayerName.skeleton(of: written).unicodeScalars
            letters = String(skeleton.filter { $0.isLetter || $0 == " " })
            marks = String(skeleton.filter(\.isMark))
            let cased = written == written.uppercased() ? written.lowercased() : written
            strokes = cased.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                ($0.isLetter || $0.isDigit) && PlayerName.skeleton(of: String($0)) == "i"
            }
        }

        func passes(for word: Reading) -> Bool {
            guard letters == word.letters else { return false }
            // In a word this short an accent makes a different word: Dũ and Tư are names.
            if letters.count <= 2, !marks.isEmpty, marks != word.marks { return false }
            // An i with its dot is not an l: Aile is a name.
            return !zip(strokes, word.strokes).contains { $0 == "i" && $1 == "l" }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a digit, looks like one, or is a sign.
    fileprivate var isPartOfNumber: Bool { "lIOo".unicodeScalars.contains(self) || !(isLetter || isMark) }
}
