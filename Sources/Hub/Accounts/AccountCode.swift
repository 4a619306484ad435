import Cryptography
import RoomRules

/// Adds a device to an account without another device: a recovery code or a link's code. The hub keeps only its hash.
struct AccountCode: Equatable, Sendable {
    private static let idSize = 8
    /// 96 random bits, so that no one finds a code by trying.
    private static let secretSize = 12
    /// Crockford's base32, which has no letters and digits that are easily confused.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let groupLength = 4
    private static let bitsPerLetter = 5
    /// Longer input is not read.
    private static let textLimit = 200

    /// The account's id and the secret: 160 bits, which are 32 letters.
    private let bytes: [UInt8]

    /// Nil if `account` is not an id that a hub has drawn.
    init?(of account: PlayerID, random: any RandomSource) {
        guard let id = [UInt8](hex: account), id.count == Self.idSize else { return nil }
        bytes = id + random.bytes(Self.secretSize)
    }

    /// Reads a code as people copy it: in either case, with any dashes and blanks, with O for 0, and I or L for 1.
    init?(_ text: String) {
        guard text.utf8.count <= Self.textLimit else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for character in text.uppercased() where character != "-" && !character.isWhitespace {
            guard let value = Self.value(of: character) else { return nil }
            bits = bits << Self.bitsPerLetter | UInt32(value)
            count += Self.bitsPerLetter
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        guard bytes.count == Self.idSize + Self.secretSize, count == 0 else { return nil }
        self.bytes = bytes
    }

    private static func value(of character: Character) -> Int? {
        switch character {
        case "O": 0
        case "I", "L": 1
        default: character.asciiValue.flatMap { alphabet.firstIndex(of: $0) }
        }
    }

    /// The account that the code names, whether it works or not.
    var account: PlayerID { Array(bytes.prefix(Self.idSize)).hex }

    /// SHA-256 in hex, which is stored and compared.
    var hash: String { SHA256.digest(of: bytes).hex }

    /// 8 groups of 4 letters, with dashes between.
    var text: String {
        var text: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= Self.bitsPerLetter {
                count -= Self.bitsPerLetter
                if text.count % (Self.groupLength + 1) == Self.groupLength { text.append(UInt8(ascii: "-")) }
                text.append(Self.alphabet[Int(bits >> count & 31)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
