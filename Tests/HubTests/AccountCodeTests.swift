import Testing

@testable import Hub
@testable import RoomRules

@Suite("Codes of accounts") struct AccountCodeTests {
    private let random = SeededRandom(7)

    @Test(
        "a code reads back as it was drawn, and names its account", arguments: ["0123456789abcdef", "ffffffffffffffff"])
    func readsBack(account: String) throws {
        let code = try #require(AccountCode(of: account, random: random))
        #expect(code.account == account)
        #expect(AccountCode(code.text) == code)
        #expect(code.text.split(separator: "-").map(\.count) == Array(repeating: 4, count: 8))
    }

    @Test("all zeros give the first letter of the alphabet, and all ones the last")
    func knownTexts() throws {
        let zeros = try #require(AccountCode(of: "0000000000000000", random: Bytes(0)))
        #expect(zeros.text == "0000-0000-0000-0000-0000-0000-0000-0000")
        let ones = try #require(AccountCode(of: "ffffffffffffffff", random: Bytes(0xFF)))
        #expect(ones.text == "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ")
        // 00000001 00100011 is 00000 00100 10001 1....
        let mixed = try #require(AccountCode(of: "0123000000000000", random: Bytes(0)))
        #expect(mixed.text.hasPrefix("04HG-0000"))
    }

    @Test(
        "a code stays the same however people copy it",
        arguments: [
            { (text: String) in text.lowercased() }, { $0.replacing("-", with: "") }, { $0.replacing("-", with: " ") },
            { $0.replacing("0", with: "O") }, { $0.replacing("0", with: "o") }, { $0.replacing("1", with: "I") },
            { $0.replacing("1", with: "l") }, { "  \($0)\n" },
        ] as [@Sendable (String) -> String])
    func isForgiving(copy: @Sendable (String) -> String) throws {
        let code = try #require(AccountCode(of: "0123456789abcdef", random: Bytes(0x08)))
        #expect(code.text.contains("0") && code.text.contains("1"))
        #expect(AccountCode(copy(code.text)) == code)
    }

    @Test(
        "an invalid code is refused",
        arguments: [
            "", "-", "U000-0000-0000-0000-0000-0000-0000-0000", "0000-0000-0000-0000-0000-0000-0000-000",
            "0000-0000-0000-0000-0000-0000-0000-0000-0", "0000-0000-0000-0000-0000-0000-0000-000é",
            String(repeating: "0", count: 32) + String(repeating: " ", count: 200),
        ])
    func isNone(text: String) { #expect(AccountCode(text) == nil) }

    @Test("an account id that the hub did not draw has no code", arguments: ["", "ann", "0123", "0123456789abcdef00"])
    func hasNone(account: String) { #expect(AccountCode(of: account, random: random) == nil) }
}

/// Always the same byte.
private final class Bytes: RandomSource {
    private let byte: UInt8
    init(_ byte: UInt8) { self.byte = byte }
    func bytes(_ count: Int) -> [UInt8] { Array(repeating: byte, count: count) }
}
