import WebProtocols

/// Finds what the load tester needs in a hub's message without parsing the rest, since it takes as many messages as the
/// hub sends. It relies on the order of the hub's fields, which start with `v`, `t` and `type`.
struct MessageScan {
    enum Kind: String, CaseIterable {
        case welcome, resume, ok, error, proposed, match, turn
        case showCard = "show-card"
        case hideCard = "hide-card"
        case gameEnded = "game-ended"
        case other
    }

    let kind: Kind
    /// Nil if it is not an event.
    let version: Int?
    private let bytes: [UInt8]

    init(_ message: RawSpan) {
        var bytes: [UInt8] = []
        bytes.append(message)
        self.init(bytes)
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var rest = bytes[...]
        version = rest.skip(#"{"v":"#) ? rest.takeNumber() : nil
        if version != nil {
            _ = rest.skip(#","t":"#)
            _ = rest.takeNumber()
        }
        let isTyped = rest.skip(version == nil ? #"{"type":""# : #","type":""#)
        let name = isTyped ? rest.prefix { $0 != UInt8(ascii: "\"") } : []
        kind = Kind.allCases.dropLast().first { $0.rawValue.utf8.elementsEqual(name) } ?? .other
    }

    /// The first whole number after `key`, as in `"cell":`.
    func number(_ key: String) -> Int? {
        var rest = find(key)
        return rest?.takeNumber()
    }

    /// The text after `key`, as in `"face":"`, up to the next quotation mark.
    func text(_ key: String) -> String? {
        find(key).map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self) }
    }

    /// What follows the first `key`.
    private func find(_ key: String) -> ArraySlice<UInt8>? {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            rest = rest[start...]
            if rest.skip(key) { return rest }
            rest.removeFirst()
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Whether `text` comes next, which is then skipped.
    fileprivate mutating func skip(_ text: String) -> Bool {
        guard starts(with: text.utf8) else { return false }
        removeFirst(text.utf8.count)
        return true
    }

    /// Removes the digits at the front, eighteen at most, which cannot overflow; nil if there are none.
    fileprivate mutating func takeNumber() -> Int? {
        let digits = prefix { (0x30...0x39).contains($0) }.prefix(18)
        removeFirst(digits.count)
        return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
