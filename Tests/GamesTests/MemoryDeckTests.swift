import Cryptography
import Foundation
import JSON
import Testing

@testable import Games

@Suite("Memory: the deck follows from the seed") struct MemoryDeckTests {
    // Dealt once by deal.py, which shares nothing with this code.
    @Test(
        "decks dealt elsewhere",
        arguments: [
            (
                "00", ["theme": "numbers", "columns": 2, "rows": 3],
                "24 24 6 6 12 12"
            ),
            (
                "00", ["theme": "animals"],
                "🦊 🐯 🐹 🐶 🐨 🐔 🐹 🐼 🐨 🐼 🐔 🐯 🐻 🐶 🐻 🦊"
            ),
        ] as [(String, Fields, String)])
    func vectors(byte: String, options: Fields, deck: String) throws {
        let server = try #require(Digest(hex: String(repeating: byte, count: 32)))
        let table = try Table(options, players: 1, seed: gameSeed(serverSeed: server, nonces: [:]))
        #expect(table.faces.map { $0 ?? "-" }.joined(separator: " ") == deck)
    }

    @Test("a deck of an odd board with two nonces")
    func nonces() throws {
        let server = try #require(Digest(hex: String(repeating: "ff", count: 32)))
        let seed = gameSeed(
            serverSeed: server,
            nonces: [Seat(0): [UInt8](repeating: 0, count: 16), Seat(3): [UInt8](1...16)])
        let table = try Table(["theme": "numbers", "columns": 3, "rows": 3], players: 1, seed: seed)
        #expect(table.faces == ["5", "26", "20", "26", nil, "5", "20", "1", "1"])
    }

    @Test("every board, theme and preset is dealt as in the other program")
    func everyBoard() throws {
        var asked: [Fields] = MemoryBoardTests.sizes.map {
            ["theme": "numbers", "columns": .integer($0.0), "rows": .integer($0.1)]
        }
        asked += Memory.Preset.allCases.map { ["preset": .string($0.rawValue)] }
        asked += Theme.all.map { ["theme": .string($0.name), "preset": "memorize"] }
        asked += Theme.all.map { ["theme": .string($0.name), "pairs": 48] }
        asked += (0..<8).map { _ in ["theme": "garden", "preset": "memorize"] }
        var draw = RandomWords(seed: SHA256.digest(of: "themes"))
        var requests: [[String: Any]] = []
        var dealt: [(pairs: Int?, deck: [String?])] = []
        for (number, options) in asked.enumerated() {
            let server = SHA256.digest(of: "server \(number)")
            let nonce = Array(SHA256.digest(of: "nonce \(number)").bytes.prefix(nonceSize))
            let seat = Seat(number % 8)
            let seed = gameSeed(serverSeed: server, nonces: [seat: nonce])
            let setup = try Memory.setup(options, players: 2, draw: &draw).dealt(from: seed)
            let deck = Memory.Deck.dealt(setup, from: seed).deck
            dealt.append((setup.drawn == nil ? nil : setup.board.pairs, deck.map { face(setup, $0) }))
            requests.append([
                "serverSeed": server.hex, "nonces": ["\(seat.rawValue)": nonce.hex], "faces": setup.faces,
                "cells": setup.board.cellCount,
                "drawn": setup.drawn.map { [$0.lowerBound, $0.upperBound] } ?? NSNull(),
            ])
        }
        let answers = try Self.deal(requests)
        try #require(answers.count == dealt.count)
        for (index, (answer, ours)) in zip(answers, dealt).enumerated() {
            #expect(answer.deck == ours.deck, "\(asked[index])")
            // A count that fits no board gives the next lower one: the drawn count itself is in the range that fits.
            if let pairs = ours.pairs { #expect(answer.pairs == pairs) }
        }
        let drawn = Set(dealt.compactMap(\.pairs))
        #expect(drawn.count > 1, "the number of pairs is drawn anew for each game")
    }

    struct Answer: Decodable {
        let pairs: Int?
        let deck: [String?]
        let moves: [[[Int]]]
        let decks: [[String?]]
    }

    private func face(_ setup: Memory.Setup, _ index: UInt8) -> String? {
        index == Memory.Card.noFace ? nil : setup.faces[Int(index)]
    }

    /// The answers of deal.py.
    static func deal(_ requests: [[String: Any]]) throws -> [Answer] {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "deal.py")
        let input = FileManager.default.temporaryDirectory.appending(path: "deal-\(UUID().uuidString).ndjson")
        defer { try? FileManager.default.removeItem(at: input) }  // It is in the temporary folder anyway.
        let lines = try requests.map { try JSONSerialization.data(withJSONObject: $0) }
        try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: input)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script.path]
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answered = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try answered.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Answer.self, from: Data($0))
        }
    }
}
