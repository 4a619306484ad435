/// What never leaves the hub: unrevealed seeds, tokens of devices, codes given out earlier.
final class Secrets {
    /// The kind of each secret, by its text.
    private var kinds: [String: String] = [:]
    /// How many there are of each length. Most texts have another length.
    private var lengths = [Int](repeating: 0, count: 1_025)
    /// The newest seed of each room, and what is sealed of its running game.
    private var rooms: [String: [String]] = [:]

    /// What a room keeps secret now, as hexadecimal digits.
    func keep(_ secrets: [String], of room: String) {
        let before = rooms[room] ?? []
        guard before != secrets else { return }
        for text in before where !secrets.contains(text) { remove(text) }
        rooms[room] = secrets
        for text in secrets { keep(text, "a secret of room \(room)") }
    }

    /// The room has gone back. Its present seed may have been revealed by a lost event.
    func goBack(room: String, isRevealed: Bool) { if isRevealed { rooms[room] = nil } }

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
