import Cryptography
import RoomRules

/// What makes a device one of an account's without a device that is: a recovery code, or one that a link carries. The
/// hub keeps its hash alone.
struct AccountCode: Equatable, Sendable {
    private static let idSize = 8
    /// 96 random bits: nobody finds a code by trying.
    private static let secretSize = 12
    /// Crockford's base32: letters and digits that are not taken for one another.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let groupLength = 4
    private static let bitsPerLetter = 5
    /// What is longer as it comes is not looked at.
    private static let textLimit = 200

    /// The account's id and the secret: 160 bits, which are 32 letters.
    private let bytes: [UInt8]

    /// Nil where `account` is no id that the hub has drawn.
    init?(of account: PlayerID, random: any RandomSource) {
        guard let id = [UInt8](hex: account), id.count == Self.idSize else { return nil }
        bytes = id + random.bytes(Self.secretSize)
    }

    /// As people copy it: in either case, with or without dashes and blanks, O for 0, I and L for 1.
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

    /// The account that it is a code of, or would be.
    var account: PlayerID { Array(bytes.prefix(Self.idSize)).hex }

    /// SHA-256 in hex: what is stored and compared.
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
