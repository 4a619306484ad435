import Cryptography
import Games
import Synchronization

@testable import Hub
@testable import RoomRules

/// Random bytes that follow from a seed.
final class SeededRandom: RandomSource {
    private let words: Mutex<RandomWords>
    init(_ seed: UInt64) { words = Mutex(RandomWords(seed: SHA256.digest(of: "seed \(seed)"))) }
    func bytes(_ count: Int) -> [UInt8] {
        words.withLock { words in (0..<count).map { _ in UInt8(truncatingIfNeeded: words.next()) } }
    }
    func number(below bound: Int) -> Int { words.withLock { $0.number(below: bound) } }
}
