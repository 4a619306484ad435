import ArgumentParser
import Cryptography
import Foundation
import Transport

/// Measures a hub of its own, on this machine: for comparing one build with another, side by side.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure flips, handshakes and idle connections of a hub that is started for it.",
        discussion: """
            The load generator is one thread beside the hub: where both share few cores, figures say how two builds \
            compare, \
            not what the hub alone could do. Every flip is on disk before it is shown. Players turn two cards that are \
            likely to differ, so a room makes at most 10 flips a second: the reveal of 200 ms is part of the game.
            """,
        subcommands: [BenchGames.self])

    @Option(help: "Seconds for each measurement.")
    var seconds = 5

    @Option(help: "Rooms of four members: one player and three who watch.")
    var rooms: [Int] = [1, 100, 1_000]

    @Option(help: "Idle connections.")
    var idle = 5_000

    func validate() throws {
        guard (1...3_600).contains(seconds) else { throw ValidationError("--seconds is a number from 1 to 3600.") }
        guard rooms.allSatisfy({ (1...10_000).contains($0) }) else {
            throw ValidationError("--rooms are numbers from 1 to 10000.")
        }
        guard (1...50_000).contains(idle) else { throw ValidationError("--idle is a number from 1 to 50000.") }
    }

    func run() throws {
        // Where the system allows fewer, the connections past it fail with a clear error.
        _ = DescriptorLimit.fit(connections: 65_536)
        print("\(ProcessInfo.processInfo.activeProcessorCount) cores, \(seconds) s each")
        for count in rooms { try measure { try flips(rooms: count, $0) } }
        try measure { hub in print("handshakes, plain: \(try handshakes(hub, nil)) a second") }
        try measure(isTLS: true) { hub in
            print("handshakes, TLS: \(try handshakes(hub, TLSContext(trusting: .anyone))) a second")
        }
        try measure { try idleConnections($0) }
    }

    private func measure(isTLS: Bool = false, _ body: (BenchHub) throws -> Void) throws {
        let hub = try BenchHub(isTLS: isTLS)
        defer { hub.stop() }
        try body(hub)
    }

    // MARK: Flips

    private func flips(rooms count: Int, _ hub: BenchHub) throws {
        var load = FlipLoad()
        for _ in 0..<count { try load.addRoom(hub) }
        let before = hub.processorSeconds
        let (flips, latencies) = try load.run(seconds: Double(seconds))
        let cost = (hub.processorSeconds - before) / Double(max(1, flips)) * 1_000_000
        let sorted = latencies.sorted()
        func percentile(_ part: Double) -> String {
            guard !sorted.isEmpty else { return "-" }
            return String(format: "%.2f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] * 1_000)
        }
        print(
            "\(count) rooms x 4: \(flips / seconds) flips a second, from flip to every member's message p50 "
                + "\(percentile(0.5)) ms, p99 \(percentile(0.99)) ms; \(Int(cost)) µs of the hub's processor a flip")
    }

    // MARK: Handshakes and idle connections

    private func handshakes(_ hub: BenchHub, _ tls: TLSContext?) throws -> Int {
        let code = try hub.openRoom(BenchClient(port: hub.port, tls: tls))
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        var count = 0
        while ContinuousClock.now < end {
            _ = try BenchClient(port: hub.port, tls: tls).upgrade("/ws/rooms/\(code)")
            count += 1
        }
        return count / seconds
    }

    private func idleConnections(_ hub: BenchHub) throws {
        let code = try hub.openRoom(BenchClient(port: hub.port))
        var clients: [BenchClient] = []
        func add(_ count: Int) throws {
            for _ in 0..<count {
                let client = try BenchClient(port: hub.port)
                _ = try client.upgrade("/ws/rooms/\(code)")
                try client.say(#"{"type":"hello"}"#)
                clients.append(client)
            }
        }
        // What is allocated once comes with the first ones.
        try add(200)
        let before = hub.residentBytes
        try add(idle)
        print(
            "idle: \((hub.residentBytes - before) / idle) bytes of the hub's memory a connection, "
                + "\(idle) watching a room"
        )
    }
}

/// A hub as a child process, on a folder that goes with it.
final class BenchHub {
    let port: Int
    private let process = Process()
    private let folder = NSTemporaryDirectory() + "flipside-bench-" + UUID().uuidString
    private var playerCount = 0

    init(isTLS: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var arguments = ["serve", "--listen", "127.0.0.1:0", "--data", folder + "/data", "--log-level", "error"]
        arguments += ["--connections", "60000", "--messages-per-second", "1000000"]
        if isTLS {
            let openssl = Process()
            openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            openssl.arguments = [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2",
                "-subj", "/CN=localhost", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
            ]
            openssl.standardError = FileHandle.nullDevice
            try openssl.run()
            openssl.waitUntilExit()
            arguments += ["--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem"]
        }
        process.executableURL = URL(fileURLWithPath: itself)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = line.split(whereSeparator: \.isNewline).first?.split(separator: ":").last.flatMap({ Int($0) })
        else { throw CommandLineError("The hub to be measured did not start.") }
        self.port = port
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        // What is left in the temporary folder is the system's to clean up.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A new player.
    func register(_ client: BenchClient) throws -> String {
        playerCount += 1
        let token = randomBytes(32).base64URL
        _ = try client.ask("POST", "/api/players", body: ["name": "Bench \(playerCount)", "token": token])
        return token
    }

    /// A new room of a new player: its code.
    func openRoom(_ client: BenchClient) throws -> String {
        try openRoom(client, token: register(client))
    }

    func openRoom(_ client: BenchClient, token: String) throws -> String {
        let options: [String: Any] = ["columns": 8, "rows": 12, "theme": "numbers", "reveal": 200, "turnTime": 0]
        let room = try client.ask("POST", "/api/rooms", token: token, body: ["game": "memory", "options": options])
        guard let code = room["code"] as? String else { throw CommandLineError("The hub opened no room: \(room).") }
        return code
    }

    /// Time of all its threads so far.
    var processorSeconds: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // The name, in brackets, may hold blanks; times are the 12th and 13th word behind it.
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)) ?? ""
        let words = text.split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
