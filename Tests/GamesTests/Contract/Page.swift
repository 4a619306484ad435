import Foundation
import JSON
import Testing

@testable import Games

/// The page's folds, run by Node.
enum Page {
    /// The project's folder.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// The promises that the page breaks for `game`, of which this is a log. `edits` replace texts in its files, to
    /// check that faults there are found.
    static func violations(of game: any Game.Type, log: PageLog, edits: [PageEdit] = []) throws
        -> [GameContract.Violation]
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flipside-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Node takes files for ES modules if a package says so.
        try #"{"type":"module"}"#.write(
            to: folder.appendingPathComponent("package.json"), atomically: true, encoding: .utf8)
        let web = folder.appendingPathComponent("web")
        try FileManager.default.copyItem(at: URL(fileURLWithPath: root + "/web"), to: web)
        for edit in edits {
            let file = web.appendingPathComponent(edit.file)
            let text = try String(contentsOf: file, encoding: .utf8)
            try #require(text.contains(edit.old), "\(edit.file) has no \(edit.old)")
            try text.replacingOccurrences(of: edit.old, with: edit.new)
                .write(to: file, atomically: true, encoding: .utf8)
        }
        let file = folder.appendingPathComponent("log.ndjson")
        try Data(log.bytes).write(to: file)
        let said = try node(root + "/Tests/GamesTests/Contract/page-fold.mjs", [web.path, file.path])
        return try said.split(separator: "\n").compactMap { line in
            let words = line.split(separator: "\t", maxSplits: 1).map(String.init)
            // A form that asks for nothing, or a promise without details, has nothing after it.
            let rest = words.count > 1 ? words[1] : ""
            if words[0] == "options" { return try refusal(of: rest, by: game) }
            let promise = try #require(GameContract.Promise.named(words[0]), "\(line)")
            return GameContract.Violation(promise: promise, detail: rest)
        }
    }

    /// The options that the forms of all games can ask for, by game.
    static func options() throws -> [String: [Fields]] {
        let said = try node(root + "/Tests/GamesTests/Contract/page-fold.mjs", [root + "/web"])
        let lines = said.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1).map(String.init) }
        return try Dictionary(grouping: lines) { $0[0] }.mapValues { lines in
            try lines.map { try read($0.count > 1 ? $0[1] : "") }
        }
    }

    private static func read(_ options: String) throws -> Fields {
        var asked = Fields()
        for option in options.split(separator: "\t") {
            let words = option.split(separator: " ", maxSplits: 2).map(String.init)
            try #require(words.count == 3, "\(option)")
            asked[words[0]] =
                switch words[1] {
                case "number": Int(words[2]).map { .integer($0) } ?? .string(words[2])
                case "boolean": .bool(words[2] == "true")
                default: .string(words[2])
                }
        }
        return asked
    }

    /// The violation if the game refuses options that the page's form can ask for.
    private static func refusal(of options: String, by game: any Game.Type) throws -> GameContract.Violation? {
        let asked = try read(options)
        do {
            _ = try game.options(asked)
            return nil
        } catch {
            return GameContract.Violation(
                promise: .offers, detail: "The form can ask for \(asked.brief), which is refused: \(error.sentence)")
        }
    }

    private static func node(_ script: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["node", script] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(said)")
        return said
    }
}

/// A replacement of a text of the page.
struct PageEdit: Sendable {
    let file: String
    let old: String
    let new: String

    init(_ file: String, _ old: String, _ new: String) { (self.file, self.old, self.new) = (file, old, new) }
}
