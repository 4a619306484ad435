import Foundation
import Testing

/// What the sources may import, and how large they may grow.
@Suite("The house") struct HouseTests {
    /// What each module may import besides the standard library; Foundation and Glibc are looked at apart.
    static let allowed: [String: Set<String>] = [
        "Cryptography": ["COpenSSL"], "WebProtocols": ["Cryptography"], "Games": ["Cryptography"],
        "EventStore": ["CSQLite", "Cryptography"], "Transport": ["CLinux", "Cryptography", "WebProtocols"],
        "Hub": ["Cryptography", "WebProtocols", "Games", "EventStore", "Transport", "Logging"],
        "flipside": [
            "Cryptography", "WebProtocols", "Games", "EventStore", "Transport", "Hub", "Logging", "ArgumentParser",
        ],
    ]
    static let system: Set = ["Glibc", "Synchronization"]

    @Test("each module imports only what stands below it", arguments: allowed.keys.sorted())
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
        let folders = try FileManager.default.contentsOfDirectory(atPath: Script.root + "/Sources")
        #expect(Set(folders).subtracting(["CLinux", "COpenSSL", "CSQLite"]) == Set(Self.allowed.keys))
    }

    @Test("each C library is imported by one module", arguments: ["CLinux", "COpenSSL", "CSQLite"])
    func oneImporter(library: String) throws {
        let files = try SourceFile.all(in: "Sources").filter { $0.imports.contains(library) }
        #expect(Set(files.map { $0.path.split(separator: "/")[1] }).count == 1)
    }

    @Test("no file has more than 400 lines, and no line more than 120 columns")
    func sizes() throws {
        for file in try SourceFile.all(in: "Sources") + SourceFile.all(in: "Tests") {
            #expect(file.lines.count <= 400, "\(file.path) has two subjects")
            for (index, line) in file.lines.enumerated() where line.count > 120 {
                Issue.record("\(file.path):\(index + 1) has \(line.count) columns")
            }
        }
    }

    @Test("no game is named in the hub, and no SQL stands outside the event store")
    func words() throws {
        for file in try SourceFile.all(in: "Sources/Hub") { #expect(!file.text.contains("\"memory\""), "\(file.path)") }
        for file in try SourceFile.all(in: "Sources") where !file.path.hasPrefix("Sources/EventStore") {
            #expect(!file.text.contains("SELECT ") && !file.text.contains("INSERT INTO"), "\(file.path)")
        }
    }
}

private struct SourceFile {
    /// From the project's folder on.
    let path: String
    let text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Modules that are imported, with or without an attribute or a kind.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index <= 1,
                index == 0 || words[0].hasPrefix("@") || words[0] == "public"
            else { return nil }
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            return words.dropFirst(index + 1).first { !kinds.contains($0) }?.split(separator: ".").first.map(
                String.init)
        }
    }

    static func all(in folder: String) throws -> [SourceFile] {
        let entries = FileManager.default.enumerator(atPath: Script.root + "/" + folder)
        let names = (entries?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }
        #expect(!names.isEmpty, "there is nothing in \(folder)")
        return try names.sorted().map { name in
            let path = folder + "/" + name
            return SourceFile(path: path, text: try String(contentsOfFile: Script.root + "/" + path, encoding: .utf8))
        }
    }
}
