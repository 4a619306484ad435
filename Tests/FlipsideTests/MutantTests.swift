import Foundation
import Testing

/// Faults that `scripts/mutants` puts into the hub for the simulation to find. Each is a patch.
@Suite("Mutants") struct MutantTests {
    private static let folder = "Tests/Mutants"
    /// Most lines that a patch removes and adds, since it is one fault, of a kind that people make.
    private static let lineLimit = 10

    static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: Project.root + "/" + folder)
        return (files ?? []).sorted()
    }()

    @Test("there are enough of them to show that the simulation finds faults")
    func count() { #expect(Self.names.count >= 30) }

    @Test("each applies to the current hub", arguments: names)
    func applies(name: String) throws {
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        git.arguments = ["git", "apply", "--check", "\(Self.folder)/\(name)"]
        git.currentDirectoryURL = URL(fileURLWithPath: Project.root)
        git.standardError = output
        try git.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        git.waitUntilExit()
        #expect(
            git.terminationStatus == 0,
            """
            \(Self.folder)/\(name) must be renewed, since the text that it changes is different now. Make the fault \
            of its first lines in the sources, replace everything after these lines with the output of `git diff \
            Sources`, remove the fault from the sources, and check that `scripts/mutants \(name.dropLast(6))` finds it.
            \(String(decoding: said, as: UTF8.self))
            """)
    }

    @Test("each starts with what is wrong and where it shows, and is small", arguments: names)
    func isTold(name: String) throws {
        #expect(name.contains(/^[a-z]+(-[a-z]+)*\.patch$/), "\(name) must say what is wrong: `ban-leaves-seat.patch`")
        let lines = try Project.text("\(Self.folder)/\(name)").split(separator: "\n", omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.hasPrefix("diff ") }
        #expect(
            head.joined(separator: " ").contains(/^[A-Z`].*\. Seen .*\. +$/),
            "\(name) must start with what is wrong, the promise that this breaks, and `Seen where ...`")
        let files = lines.filter { $0.hasPrefix("+++ ") }
        let areOurs = files.allSatisfy { $0.contains(/^\+\+\+ b\/Sources\/(?!ReferenceModel|Simulation|flipside)/) }
        #expect(!files.isEmpty && areOurs, "\(name)")
        let changed = lines.filter { $0.contains(/^[+-]/) && !$0.hasPrefix("+++ ") && !$0.hasPrefix("--- ") }
        #expect(changed.count <= Self.lineLimit, "\(name) changes \(changed.count) lines")
    }
}
