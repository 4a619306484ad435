import Foundation
import Testing

@testable import Hub

@Suite("Inputs for the fuzzer: its corpus, and former faults") struct FuzzCorpusTests {
    @Test("no input breaks a rule", arguments: FuzzInput.all)
    func holds(input: FuzzInput) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == input.target }, "no target has this name")
        #expect(target.fault(try input.bytes) == nil)
    }

    @Test("each target has some", arguments: FuzzTarget.all.map(\.name))
    func isFed(target: String) { #expect(FuzzInput.all.contains { $0.target == target }) }
}

struct FuzzInput: CustomTestStringConvertible, Sendable {
    let target: String
    private let file: URL

    var testDescription: String { "\(target)/\(file.lastPathComponent)" }
    var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: file)) } }

    static let all: [FuzzInput] = {
        let corpora = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fuzz/corpora")
        return files(in: corpora).flatMap { folder in
            files(in: folder).map { FuzzInput(target: folder.lastPathComponent, file: $0) }
        }
    }()

    /// Empty if the folder does not exist, which the tests report.
    private static func files(in folder: URL) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
    }
}
