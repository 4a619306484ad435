import Cryptography

/// The words that a game is dealt from (ProtocolFairness.md, "The deck").
struct Draw: Sendable {
    private let seed: [UInt8]
    private var block: UInt32 = 0
    /// Of the last block, those not taken; the next one stands last.
    private var words: [UInt32] = []

    /// `nonces`: those that seats have opened, 16 bytes each.
    init(serverSeed: [UInt8], nonces: [(seat: Int, nonce: [UInt8])]) {
        var bytes = Array("flipside/deck/1".utf8) + serverSeed
        for (seat, nonce) in nonces.sorted(by: { $0.seat < $1.seat }) { bytes += [UInt8(seat)] + nonce }
        seed = SHA256.digest(of: bytes).bytes
    }

    mutating func word() -> UInt32 {
        if words.isEmpty {
            let index = (0..<4).map { UInt8(truncatingIfNeeded: block >> (24 - 8 * $0)) }
            let digest = SHA256.digest(of: seed + index).bytes
            for start in stride(from: 28, through: 0, by: -4) {
                words.append(digest[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
            }
            block += 1
        }
        return words.removeLast()
    }

    /// 0 up to `limit` - 1.
    mutating func number(below limit: Int) -> Int {
        let bound = (1 << 32) / limit * limit
        while true {
            let word = Int(word())
            if word < bound { return word % limit }
        }
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + number(below: range.count) }

    mutating func shuffle<Item>(_ items: inout [Item]) {
        for index in stride(from: items.count - 1, to: 0, by: -1) { items.swapAt(index, number(below: index + 1)) }
    }
}
