import Cryptography
import Testing

@testable import Games

// Python's hashlib computed all expected values independently of this code.
@Suite("Numbers that follow from a seed") struct RandomWordsTests {
    private let zeros = Digest(bytes: [UInt8](repeating: 0, count: 32))

    @Test("each block has eight words, and the next block continues")
    func words() throws {
        var words = RandomWords(seed: try #require(zeros))
        let expected: [UInt32] = [
            0x6db6_5fd5, 0x9fd3_56f6, 0x7291_4057, 0x1b5b_cd6b, 0xb3b8_3492, 0xa16e_1bf0, 0xa388_4442, 0xfc3c_8a0e,
            0x2158_a890, 0x6d5e_2c2b, 0xe001_bac9, 0x43ab_9cab, 0x4063_536e, 0x1c54_6b40, 0x221f_df8d, 0xb031_a4bb,
            0xe15f_3744, 0x2363_3701,
        ]
        #expect(expected.map { _ in words.next() } == expected)
    }

    /// Bounds that divide 2^32, small ones, and some that skip up to half of the words.
    @Test(
        "numbers below a bound skip the words at the end",
        arguments: zip(
            [1, 2, 7, 10, 1_000, 2_147_483_649, 3_221_225_472, 4_294_967_295],
            [
                [0, 0, 0, 0, 0, 0], [1, 0, 1, 1, 0, 0], [2, 2, 5, 2, 5, 1], [9, 2, 5, 5, 6, 8],
                [629, 702, 815, 195, 746, 888],
                [1_840_668_629, 1_922_121_815, 459_001_195, 559_458_448, 1_834_888_235, 1_135_320_235],
                [1_840_668_629, 2_681_427_702, 1_922_121_815, 459_001_195, 3_015_193_746, 2_708_347_888],
                [1_840_668_629, 2_681_427_702, 1_922_121_815, 459_001_195, 3_015_193_746, 2_708_347_888],
            ]))
    func numbers(bound: Int, expected: [Int]) throws {
        var words = RandomWords(seed: try #require(zeros))
        #expect(expected.map { _ in words.number(below: bound) } == expected)
    }

    @Test("a list is shuffled from its end")
    func shuffle() throws {
        var words = RandomWords(seed: try #require(zeros))
        var list = Array(0..<10)
        words.shuffle(&list)
        #expect(list == [1, 5, 4, 6, 8, 0, 2, 7, 3, 9])
    }

    @Test("lists of none and of one use no word")
    func nothingToShuffle() throws {
        var words = RandomWords(seed: try #require(zeros))
        let unused = words
        var (none, one) = ([Int](), [7])
        words.shuffle(&none)
        words.shuffle(&one)
        #expect(words == unused && one == [7])
    }
}

@Suite("The seed of a game") struct GameSeedTests {
    @Test("nonces count in the order of seats, each after its seat")
    func nonces() throws {
        let server = try #require(Digest(bytes: [UInt8](repeating: 0xff, count: 32)))
        let nonces: [Seat: [UInt8]] = [Seat(3): [UInt8](1...16), Seat(0): [UInt8](repeating: 0, count: 16)]
        #expect(
            gameSeed(serverSeed: server, nonces: nonces).hex
                == "fe043a85d96d80fa5fab7fb1d139a3240eaae02bfc85b69ef2bb6733f772c4d8")
    }

    @Test("without nonces it follows from the server's seed alone")
    func withoutNonces() throws {
        let server = try #require(Digest(bytes: [UInt8](repeating: 0, count: 32)))
        #expect(
            gameSeed(serverSeed: server, nonces: [:]).hex
                == "d0de54ea80d7cdac1471a6c90837cf4bb56fd50706129d4bb18cf5c509c5274e")
    }
}
