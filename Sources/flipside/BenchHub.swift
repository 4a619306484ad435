import ArgumentParser
import Cryptography
import Foundation
import Transport

/// Puts a load on a hub that runs, and measures how it bears it.
struct BenchHub: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Put a load on a hub: rooms that play, people who watch, come, read slowly and reconnect.",
        discussion: """
            Registers players, opens unlisted rooms, plays Memory there and closes them again. Use a hub \
            with a data folder of its own: players and results stay in its log.

            A flip counts from when it was due to each member's receipt of the card, whenever it could be sent: what \
            waits, waits in the figures, too. With --flips max each follows as soon as the game allows it.

            A hub holds an address to limits that a load test goes past. Where it does not run on this machine, start \
            it with --connections-per-address, --registrations-per-minute and, if need be, --connections and \
            --members-per-room as large as the test.

            Of a cluster name all nodes, with commas between: who comes is spread over them, or comes as --place says.

            Ends with status 1, and says why, where not all of that could be done.
            """)

    @Argument(
        help: """
            The hub: http://HOST:PORT or https://HOST:PORT. Nodes of a cluster with commas between.
            """)
    var url: LoadTargets

    @Option(
        help: """
            Of several nodes: each connection to the next (spread), or all of a room to one, which is its home by that \
            (together).
            """)
    var place = Placement.spread

    @Option(help: "Rooms that play.")
    var rooms = 100

    @Option(help: "Players of each room, with a seat.")
    var members = 4

    @Option(help: "Spectators of each room.")
    var spectators = 0

    @Option(help: "Flips a second of each room, or `max`.")
    var flips = "2"

    @Option(help: "Watchers a second, in all, who come and go after a second.")
    var newcomers = 0.0

    @Option(help: "Watchers, in all, who read 64 KiB a second or nothing.")
    var slowReaders = 0

    @Option(help: "Watchers, in total, who then all leave at once and come back.")
    var reconnect = 0

    @Option(help: "Seconds to make flips for.")
    var seconds = 10

    @Option(help: "Threads of this program; 0: one a processor, half of them for a hub on this machine.")
    var threads = 0

    @Option(name: .customLong("ca"), help: "PEM: certificates to trust for the hub, instead of the system's.")
    var authority: String?

    @Option(help: "PEM: the certificate to show, for --tls-client-ca.")
    var cert: String?

    @Option(help: "PEM: its key.")
    var key: String?

    @Option(
        name: .customLong("json"), help: "Write all figures to this file as JSON; -: print them instead of the table.")
    var jsonPath: String?

    func validate() throws {
        func check(_ number: Int, _ range: ClosedRange<Int>, _ name: String) throws {
            guard range.contains(number) else {
                throw ValidationError("--\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
            }
        }
        try check(rooms, 1...100_000, "rooms")
        try check(members, 1...8, "members")
        try check(spectators, 0...100_000, "spectators")
        try check(slowReaders, 0...100_000, "slow-readers")
        try check(reconnect, 0...100_000, "reconnect")
        try check(seconds, 1...86_400, "seconds")
        try check(threads, 0...256, "threads")
        guard (0...100_000).contains(newcomers) else {
            throw ValidationError("--newcomers is a number from 0 to 100000.")
        }
        _ = try rate
        guard (cert == nil) == (key == nil) else { throw ValidationError("--cert and --key go together.") }
    }

    /// Flips a second and room; nil: as many as there can be.
    private var rate: Double? {
        get throws {
            if flips == "max" { return nil }
            guard let rate = Double(flips), rate > 0, rate <= 1_000 else {
                throw ValidationError("--flips is a number above 0 and up to 1000, or `max`.")
            }
            return rate
        }
    }

    func run() throws {
        let progress = LoadProgress()
        let result: LoadResult
        do {
            result = try LoadTest(try plan(), progress: progress).run()
        } catch { throw CommandLineError(sentence(error)) }
        progress.end()
        if jsonPath != "-" { print(result.table) }
        if let jsonPath {
            let json = try result.json()
            if jsonPath == "-" {
                print(String(decoding: json, as: UTF8.self))
            } else {
                do { try json.write(to: URL(fileURLWithPath: jsonPath)) } catch {
                    throw CommandLineError(
                        "The figures cannot be written to \(jsonPath): \(error.localizedDescription)")
                }
            }
        }
        guard result.failures.isEmpty else { throw CommandLineError(result.failures.joined(separator: "\n")) }
    }

    private func plan() throws -> LoadPlan {
        var own: TLSFiles?
        if let cert, let key { own = TLSFiles(certificate: cert, key: key) }
        let endpoints = try url.urls.map { try $0.endpoint(trusting: authority, showing: own).lookedUp() }
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let threads = threads > 0 ? threads : max(1, endpoints[0].isLoopback ? processors / 2 : processors)
        return LoadPlan(
            nodes: LoadNodes(endpoints: endpoints, placement: place), rooms: rooms,
            members: members, spectators: spectators, flips: try rate, newcomers: newcomers, slowReaders: slowReaders,
            reconnects: reconnect, seconds: seconds, threads: min(threads, rooms))
    }
}
