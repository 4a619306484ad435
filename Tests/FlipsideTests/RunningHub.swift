import Foundation
import Testing

/// A folder that goes when its owner goes.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "flipside-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    // What cannot be deleted is the system's to clean up.
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A hub as a process of its own, on a port that the system chose; ends with its owner.
final class RunningHub {
    let folder: TemporaryFolder
    let port: Int
    let certificate: String?
    private let process: Process

    var data: String { folder.path + "/data" }
    var address: String { (certificate == nil ? "http" : "https") + "://localhost:\(port)" }

    init(isTLS: Bool = false, options: [String] = []) throws {
        folder = try TemporaryFolder()
        var arguments = [
            "serve", "--listen", "127.0.0.1:0", "--data", folder.path + "/data", "--web", Script.root + "/web",
        ]
        arguments += ["--log-level", "error"] + options
        let files = isTLS ? try Script.certificate(in: folder.path) : []
        certificate = files.first
        if isTLS { arguments += ["--tls-cert", files[0], "--tls-key", files[1]] }
        process = Process()
        process.executableURL = URL(fileURLWithPath: Script.binary)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // The first line says where it serves.
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let digits = line.split(whereSeparator: \.isNewline).first?.split(separator: ":").last
        port = try #require(digits.flatMap { Int($0) }, "the hub said: \(line)")
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    deinit { if process.isRunning { stop() } }

    @discardableResult
    func run(_ interpreter: Script.Interpreter, _ script: String, _ arguments: [String]) throws -> String {
        try Script.run(interpreter, script, arguments)
    }
}

/// Programs that tests run.
enum Script {
    enum Interpreter {
        case python, node
        /// Python with a screen to draw on, for browsers that have to have one.
        case screen
    }

    /// The project's folder.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    /// The program under test, beside the tests.
    static let binary =
        Bundle.main.bundleURL.path.hasSuffix(".xctest")
        ? Bundle.main.bundleURL.deletingLastPathComponent().path + "/flipside" : root + "/.build/debug/flipside"

    /// Runs a script of this folder and expects it to succeed; what it printed. Where it `mayBeImpossible` it ends with
    /// status 77 on a system that does not let it do what it needs.
    @discardableResult
    static func run(
        _ interpreter: Interpreter, _ script: String, _ arguments: [String], mayBeImpossible: Bool = false
    ) throws -> String {
        let file = root + "/Tests/FlipsideTests/" + script
        let result =
            switch interpreter {
            case .python: try launch(root + "/.build/venv/bin/python", [file] + arguments)
            case .screen:
                try launch(
                    "/usr/bin/xvfb-run",
                    ["-a", "-s", "-screen 0 2560x2400x24", root + "/.build/venv/bin/python", file] + arguments)
            case .node: try launch("/usr/bin/env", ["NODE_PATH=/usr/share/nodejs", "node", file] + arguments)
            }
        if mayBeImpossible, result.status == 77 { try Test.cancel("\(script): this system does not allow it") }
        #expect(result.status == 0, "\(script): \(result.output)")
        return result.output
    }

    static func launch(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// Paths of a new certificate for localhost and of its key.
    static func certificate(in folder: String) throws -> [String] {
        let made = try launch(root + "/scripts/dev-cert", [folder])
        #expect(made.status == 0, "\(made.output)")
        return [folder + "/cert.pem", folder + "/key.pem"]
    }
}
