import Cryptography
import Games

@testable import Hub

/// Random bytes that follow from a seed.
final class SeededRandom: RandomSource {
    private var words: RandomWords
    init(_ seed: UInt64) { words = RandomWords(seed: SHA256.digest(of: "seed \(seed)")) }
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: words.next()) } }
    func number(below bound: Int) -> Int { words.number(below: bound) }
}
