import ArgumentParser
import Testing

@testable import flipside

@Suite("What is measured") struct BenchTests {
    @Test(
        "measurements of nothing are refused",
        arguments: [
            ["--seconds", "0"], ["--seconds=-1"], ["--rooms", "0"], ["--rooms", "1", "--rooms=-1"], ["--idle", "0"],
        ])
    func nothing(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try Bench.parse(arguments) }
        #expect(throws: Never.self) { try Bench.parse([]) }
    }

    @Test(
        "games that cannot be measured are refused", arguments: [["--games", "0"], ["--plies=-1"], ["--plies", "14"]])
    func games(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try BenchGames.parse(arguments) }
        #expect(throws: Never.self) { try BenchGames.parse([]) }
    }
}
