/// What never leaves the hub: unrevealed seeds, tokens of devices, codes given out earlier.
final class Secrets {
    /// The kind of each secret, by its text.
    private var kinds: [String: String] = [:]
    /// How many there are of each length. Most texts have another length.
    private var lengths = [Int](repeating: 0, count: 65)
    /// The newest seed of each room.
    private var seeds: [String: String] = [:]

    /// The seed that a room keeps now, as hexadecimal digits; nil if none.
    func keep(seed: String?, of room: String) {
        guard seeds[room] != seed else { return }
        if let before = seeds[room] { remove(before) }
        seeds[room] = seed
        if let seed { keep(seed, "the seed of room \(room)") }
    }

    /// The room has gone back. Its present seed may have been revealed by a lost event.
    func goBack(room: String, isRevealed: Bool) { if isRevealed { seeds[room] = nil } }

    func keep(_ text: String, _ kind: String) {
        guard text.utf8.count < lengths.count, kinds.updateValue(kind, forKey: text) == nil else { return }
        lengths[text.utf8.count] += 1
    }

    private func remove(_ text: String) {
        if kinds.removeValue(forKey: text) != nil { lengths[text.utf8.count] -= 1 }
    }

    /// The secret that `bytes` contains as a word of its own from `start` on; nil if none.
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

    /// The characters of digits, base64url and codes.
    @inline(__always)
    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
