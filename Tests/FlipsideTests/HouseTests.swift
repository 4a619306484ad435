import Foundation
import Games
import Testing

/// What the sources may import, and how large they may be.
@Suite("The house") struct HouseTests {
    /// What each module may import besides the standard library. Foundation and Glibc are checked separately.
    static let allowed: [String: Set<String>] = [
        "Threads": [], "JSON": [], "Cryptography": ["COpenSSL"], "Games": ["Cryptography", "JSON"],
        "WebProtocols": ["CZlib", "Cryptography"],
        "Records": ["Cryptography"],
        "EventStore": ["CSQLite", "CPostgreSQL", "Cryptography", "Records", "Threads"],
        "Transport": ["CLinux", "Cryptography", "Threads", "WebProtocols"],
        "RoomRules": ["Cryptography", "JSON", "Games", "Records"],
        "Rooms": ofRooms, "Cluster": ofRooms.union(["Rooms"]), "Hub": ofRooms.union(["Rooms", "Cluster"]),
        "ReferenceModel": ["Cryptography", "JSON", "Games"],
        "Simulation": [
            "Cryptography", "WebProtocols", "JSON", "Games", "Records", "RoomRules", "EventStore", "Transport",
            "Rooms", "Cluster", "Hub", "ReferenceModel", "Logging",
        ],
        "flipside": [
            "Cryptography", "WebProtocols", "JSON", "Games", "Records", "RoomRules", "EventStore", "Transport",
            "Threads", "Rooms", "Cluster", "Hub", "Simulation", "Logging", "ArgumentParser",
        ],
    ]
    private static let ofRooms: Set = [
        "Cryptography", "Threads", "WebProtocols", "JSON", "Games", "Records", "RoomRules", "EventStore", "Transport",
        "Logging",
    ]
    static let system: Set = ["Glibc", "Synchronization"]
    static let libraries = ["CLinux", "COpenSSL", "CSQLite", "CPostgreSQL", "CZlib"]

    @Test("each module imports only those below it", arguments: allowed.keys.sorted())
    func imports(module: String) throws {
        let mayImport = Self.allowed[module, default: []].union(Self.system)
            .union(["Hub", "flipside"].contains(module) ? ["Foundation"] : [])
        for file in try SourceFile.all(in: "Sources/" + module) {
            let others = Set(file.imports).subtracting(mayImport)
            #expect(others.isEmpty, "\(file.path) imports \(others.sorted())")
        }
    }

    @Test("each folder of Sources is a module of the table")
    func folders() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Project.root + "/Sources")
        #expect(Set(folders).subtracting(Self.libraries) == Set(Self.allowed.keys))
    }

    @Test("each C library is imported by one module", arguments: libraries)
    func oneImporter(library: String) throws {
        let files = try SourceFile.all(in: "Sources").filter { $0.imports.contains(library) }
        #expect(Set(files.map { $0.path.split(separator: "/")[1] }).count == 1)
    }

    @Test("no file has more than 400 lines, and no line more than 120 columns")
    func sizes() throws {
        for file in try SourceFile.all(in: "Sources") + SourceFile.all(in: "Tests") {
            #expect(file.lines.count <= 400, "\(file.path) has too many lines")
            for (index, line) in file.lines.enumerated() where line.count > 120 {
                Issue.record("\(file.path):\(index + 1) has \(line.count) columns")
            }
        }
    }

    @Test("each line of the log has its text, part and level in LogLine.swift, except for notes that bring their text")
    func logLines() throws {
        let call = /logger\w*(?:\.\w+)?\.(?:log|debug|info|notice|warning|error|critical)\((?!"\\\(\w+\.message\)")/
        for file in try SourceFile.all(in: "Sources") {
            #expect(!file.code.joined(separator: "\n").contains(call), "\(file.path) writes a line that is not listed")
        }
    }

    @Test(
        "the hub and its simulation name no game, and only know the list of games",
        arguments: GameList.all.map { ($0.name, "\($0)") })
    func games(name: String, type: String) throws {
        // By Unicode's own boundaries `Memory.self` would be one word.
        let game = try Regex("\"(?i:\(name))\"|\\b\(type)\\b").wordBoundaryKind(.simple)
        let modules = ["Hub", "Cluster", "Rooms", "RoomRules", "ReferenceModel", "Simulation"]
        for file in try modules.flatMap({ try SourceFile.all(in: "Sources/\($0)") }) {
            for (index, line) in file.code.enumerated() where line.contains(game) {
                Issue.record("\(file.path):\(index + 1) names a game")
            }
        }
    }

    @Test("each query of a read model has a test, which checks how its rows are found")
    func queries() throws {
        let tests = try SourceFile.all(in: "Tests/HubTests").map(\.text).joined()
        for file in try SourceFile.all(in: "Sources/Hub/ReadModels") {
            for query in file.text.matches(of: /static func (\w+)\(\s*(\w+)\b[^{]*-> Self/).map(\.output) {
                let call = ".\(query.1)(" + (query.2 == "_" ? "" : "\(query.2):")
                #expect(
                    tests.contains("try find(\(call)") || tests.contains("try rows.find(\(call)"),
                    "no test has a `WaitingReadModels` find `\(call)` of \(file.path)")
            }
        }
    }

    @Test("scripts/test --long runs each test that it makes longer")
    func longTests() throws {
        let filter = try #require(
            Project.text("scripts/test").firstMatch(of: /FLIPSIDE_LONG_TESTS=1 swift test .*--filter '(.*)'/))
        let chosen = try Regex(String(filter.output.1))
        let longer = try SourceFile.all(in: "Tests").filter { $0.text.contains("environment[\"FLIPSIDE_LONG_TESTS\"]") }
        #expect(longer.count > 2)
        for file in longer {
            let parts = file.path.split(separator: "/")
            let suite = "\(parts[1]).\(parts[parts.count - 1].dropLast(".swift".count))"
            #expect(suite.contains(chosen), "scripts/test --long leaves out \(suite)")
        }
    }

    @Test("only the hub's clock asks the system for the time")
    func clocks() throws {
        let question = /\bDate\(\)|CLOCK_REALTIME|CLOCK_BOOTTIME|\btime\(nil\)|gettimeofday|Date\.now/
        let asking = try SourceFile.all(in: "Sources").filter { file in file.code.contains { $0.contains(question) } }
        #expect(asking.map(\.path) == ["Sources/Hub/Clock/HubClock.swift"])
    }

    @Test("threads are started in one place")
    func threads() throws {
        let start = /\bpthread_create\(|\bThread\s*[({]|\bdetachNewThread/
        let starting = try SourceFile.all(in: "Sources").filter { file in file.code.contains { $0.contains(start) } }
        #expect(starting.map(\.path) == ["Sources/Threads/SystemThread.swift"])
    }

    @Test("there is no SQL outside the event store")
    func statements() throws {
        let statement =
            #/
            \b(SELECT\s\w|INSERT\s(OR\s\w+\s)?INTO|UPDATE\s\w+\sSET|DELETE\sFROM|CREATE\s(TABLE|INDEX)|PRAGMA\s)
            /#
        var found = 0
        for file in try SourceFile.all(in: "Sources") {
            for (index, line) in file.code.enumerated() where line.contains(statement) {
                found += 1
                #expect(file.path.hasPrefix("Sources/EventStore/"), "\(file.path):\(index + 1) has SQL")
            }
        }
        #expect(found > 0, "no SQL was found in the event store either")
    }

    /// Words that read as translated, where English says no one, everyone, again, has, right now, must be or blocks.
    private static var stilted: some RegexComponent<(Substring, Substring)> {
        #/
        (?i) \b(
            whoever | nobody | somebody | everybody | anew | once\ more | any\ more | by\ now | just\ now | meanwhile |
            bears? | (?:is|are)\ to\ be | stands\ still
        )\b
        /#
    }
    private static var quoted: Regex<Substring> { /"(?:[^"\\]|\\.)*"/ }

    @Test(
        "errors, log lines and help are plain English",
        arguments: [
            "JSON", "WebProtocols", "Games", "Records", "EventStore", "Transport", "RoomRules", "Cluster", "Hub",
            "flipside",
        ])
    func words(module: String) throws {
        var found = 0
        for file in try SourceFile.all(in: "Sources/" + module) {
            var isInText = false
            for (index, line) in file.code.enumerated() {
                let said = isInText ? [line] : line.matches(of: Self.quoted).map(\.output).filter { $0.contains(" ") }
                found += said.count
                for one in said where one.contains(Self.stilted) {
                    Issue.record("\(file.path):\(index + 1) says \(one)")
                }
                if line.ranges(of: "\"\"\"").count == 1 { isInText.toggle() }
            }
        }
        #expect(found > 0, "\(module) says nothing")
    }

    @Test("the documents are plain English", arguments: try DocumentTests.all())
    func documents(path: String) throws {
        let lines = try Project.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            // Codes are names, such as `nobody-to-ask`.
            if line.replacing(/`[^`]*`/, with: "").contains(Self.stilted) {
                Issue.record("\(path):\(index + 1) says \(line)")
            }
        }
    }
}
