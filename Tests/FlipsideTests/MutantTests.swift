import Foundation
import Testing

/// Faults that are put into the hub on purpose, to be found by the simulation (`scripts/mutants`): each a patch.
@Suite("Mutants") struct MutantTests {
    private static let folder = "Tests/Mutants"
    /// Lines that one may take out and put in: it is one fault, as somebody would make it.
    private static let lineLimit = 10

    static let names: [String] = {
        let files = try? FileManager.default.contentsOfDirectory(atPath: Project.root + "/" + folder)
        return (files ?? []).sorted()
    }()

    @Test("there are enough of them to say that the simulation finds faults")
    func count() { #expect(Self.names.count >= 30) }

    @Test("each can be put into the hub as it is by now", arguments: names)
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
            \(Self.folder)/\(name) has to be renewed, since what it changes is another text by now. Make the fault \
            that its first lines tell of in the sources, put the output of `git diff Sources` behind these lines in \
            place of what is there, take it out of the sources again, and see that `scripts/mutants \
            \(name.dropLast(6))` finds it.
            \(String(decoding: said, as: UTF8.self))
            """)
    }

    @Test("each says first what is wrong and where it is seen, and is small", arguments: names)
    func isTold(name: String) throws {
        #expect(name.contains(/^[a-z]+(-[a-z]+)*\.patch$/), "\(name) is to say what is wrong: `ban-leaves-seat.patch`")
        let lines = try Project.text("\(Self.folder)/\(name)").split(separator: "\n", omittingEmptySubsequences: false)
        let head = lines.prefix { !$0.hasPrefix("diff ") }
        #expect(
            head.joined(separator: " ").contains(/^[A-Z`].*\. Seen .*\. +$/),
            "\(name) is to begin with what is wrong, the promise that this breaks, and `Seen where ...`")
        let files = lines.filter { $0.hasPrefix("+++ ") }
        let areOurs = files.allSatisfy { $0.contains(/^\+\+\+ b\/Sources\/(Hub|Games|EventStore)\//) }
        #expect(!files.isEmpty && areOurs, "\(name)")
        let changed = lines.filter { $0.contains(/^[+-]/) && !$0.hasPrefix("+++ ") && !$0.hasPrefix("--- ") }
        #expect(changed.count <= Self.lineLimit, "\(name) changes \(changed.count) lines")
    }
}
