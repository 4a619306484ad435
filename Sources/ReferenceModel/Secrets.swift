/// What never leaves the hub: seeds that are not revealed, tokens of devices, codes that were given out before.
final class Secrets {
    /// What each is, by the text that it is written as.
    private var kinds: [String: String] = [:]
    /// How many there are of each length: most texts have another.
    private var lengths = [Int](repeating: 0, count: 65)
    /// The newest seed of each room.
    private var seeds: [String: String] = [:]

    /// The seed that a room keeps now, as hexadecimal digits; nil: none.
    func keep(seed: String?, of room: String) {
        guard seeds[room] != seed else { return }
        if let before = seeds[room] { remove(before) }
        seeds[room] = seed
        if let seed { keep(seed, "the seed of room \(room)") }
    }

    /// The room has gone back: what it keeps now may have been revealed by what is lost.
    func goBack(room: String, isRevealed: Bool) { if isRevealed { seeds[room] = nil } }

    func keep(_ text: String, _ kind: String) {
        guard text.utf8.count < lengths.count, kinds.updateValue(kind, forKey: text) == nil else { return }
        lengths[text.utf8.count] += 1
    }

    private func remove(_ text: String) {
        if kinds.removeValue(forKey: text) != nil { lengths[text.utf8.count] -= 1 }
    }

    /// Which secret stands in `bytes` as a word of its own, from `start` on; nil: none.
    func find(in bytes: [UInt8], from start: Int = 0) -> String? {
        var word = start
        for place in start...bytes.count {
            if place < bytes.count, Self.isPart(bytes[place]) { continue }
            let count = place - word
            if count > 24, count < lengths.count, lengths[count] > 0,
                let kind = kinds[String(decoding: bytes[word..<place], as: UTF8.self)]
            {
                return kind
            }
            word = place + 1
        }
        return nil
    }

    /// What digits, base64url and codes consist of.
    @inline(__always)
    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
