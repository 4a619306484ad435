extension GameEvent {
    /// Whether `bytes` are this event at this version and time, its members in the order in which the protocol names
    /// them. It takes a tenth of what reading the JSON does; a no means nothing yet: `difference` says.
    /// `more`: whether others of its commit follow.
    func isPlainly(_ bytes: [UInt8], version: Int, time: Int, more: Bool) -> Bool {
        var text = PlainText(bytes: bytes, more: more)
        guard text.has("{\"v\":"), text.has(version), text.has(",\"t\":"), text.has(time), text.has(",\"type\":\"")
        else {
            return false
        }
        switch self {
        case .turn(let seat, let deadline):
            guard text.has("turn", "\"seat\":"), text.has(seat) else { return false }
            if let deadline { guard text.has(",\"deadline\":"), text.has(deadline) else { return false } }
        case .showCard(let cell, let face, let seat, let bonus):
            guard text.has("show-card", "\"cell\":"), text.has(cell), text.has(",\"face\":\""), text.has(face: face),
                text.has("\",\"seat\":"), text.has(seat)
            else { return false }
            if let bonus { guard text.has(",\"bonus\":"), text.has(bonus) else { return false } }
        case .match(let first, let second, let seat, let scores):
            guard text.has("match", "\"cells\":["), text.has(first), text.has(","), text.has(second),
                text.has("],\"seat\":"), text.has(seat), text.has(scores)
            else { return false }
        case .hideCard(let first, let second, let scores):
            guard text.has("hide-card", "\"cells\":["), text.has(first) else { return false }
            if let second { guard text.has(","), text.has(second) else { return false } }
            guard text.has("]"), text.has(scores) else { return false }
        case .placeDisc(let cell, let seat, let flips):
            guard text.has("place-disc", "\"cell\":"), text.has(cell), text.has(",\"seat\":"), text.has(seat),
                text.has(",\"flips\":"), text.has(flips)
            else { return false }
        case .dropDisc(let cell, let seat, nil):
            guard text.has("drop-disc", "\"cell\":"), text.has(cell), text.has(",\"seat\":"), text.has(seat) else {
                return false
            }
        case .turnExpired(let seat): guard text.has("turn-expired", "\"seat\":"), text.has(seat) else { return false }
        case .pass(let seat): guard text.has("pass", "\"seat\":"), text.has(seat) else { return false }
        default: return false
        }
        return text.has("}") && text.isAtEnd
    }
}

/// Walks through bytes that ought to be known.
private struct PlainText {
    let bytes: [UInt8]
    let more: Bool
    var place = 0

    init(bytes: [UInt8], more: Bool) { (self.bytes, self.more) = (bytes, more) }

    /// The rest of a type, and the name of the first field of its own.
    mutating func has(_ type: StaticString, _ name: StaticString) -> Bool {
        has(type) && (more ? has("\",\"more\":true,") : has("\",")) && has(name)
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func has(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        let start = place
        place += count
        return text.withUTF8Buffer { known in
            for index in 0..<count where bytes[start + index] != known[index] { return false }
            return true
        }
    }

    /// The digits of `number` and no more: another digit behind them is another number.
    mutating func has(_ number: Int) -> Bool {
        if number < 0 {
            guard place < bytes.count, bytes[place] == UInt8(ascii: "-") else { return false }
            place += 1
        }
        var found = 0
        let start = place
        while place < bytes.count, case let digit = Int(bytes[place]) - 48, (0...9).contains(digit), place < start + 18
        {
            found = found * 10 + digit
            place += 1
        }
        return place > start && found == abs(number)
    }

    /// A text without anything that would be escaped.
    mutating func has(face text: String) -> Bool {
        for byte in text.utf8 {
            guard place < bytes.count, bytes[place] == byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
            else {
                return false
            }
            place += 1
        }
        return true
    }

    mutating func has(_ numbers: [Int]) -> Bool {
        for (index, number) in numbers.enumerated() {
            guard index == 0 ? has("[") : has(","), has(number) else { return false }
        }
        return !numbers.isEmpty && has("]")
    }

    mutating func has(_ scores: [SeatNumber]) -> Bool {
        for (index, score) in scores.enumerated() {
            guard index == 0 ? has(",\"scores\":{\"") : has(",\""), has(score.seat), has("\":"), has(score.number)
            else {
                return false
            }
        }
        return !scores.isEmpty && has("}")
    }
}
