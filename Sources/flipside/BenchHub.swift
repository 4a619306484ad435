import ArgumentParser
import Cryptography
import Foundation
import Transport

struct BenchHub: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Put a load on a hub: rooms that play, people who watch, come, read slowly and reconnect.",
        discussion: """
            Registers players, opens unlisted rooms, plays Memory there and closes them again. Use a hub \
            with a data folder of its own: players and results stay in its log.

            A flip's time counts from when it was due until each member receives the card, even if it was sent late. \
            With --flips max each follows as soon as the game allows it.

            A load test exceeds the limits that a hub has for an address. Unless the hub runs on this machine, start \
            it with --connections-per-address, --registrations-per-minute and, if necessary, --connections and \
            --members-per-room as large as the test.

            For a cluster, name all nodes, separated by commas. Connections are spread over them as --place says.

            Ends with status 1, and says why, if any of that failed.
            """)

    @Argument(
        help: """
            The hub: http://HOST:PORT or https://HOST:PORT. Separate the nodes of a cluster by commas.
            """)
    var url: LoadTargets

    @Option(
        help: """
            With several nodes: each connection goes to the next (spread), or all of a room to one, which makes it the \
            room's home (together).
            """)
    var place = Placement.spread

    @Option(help: "Rooms that play.")
    var rooms = 100

    @Option(help: "Players with a seat in each room.")
    var members = 4

    @Option(help: "Spectators in each room.")
    var spectators = 0

    @Option(help: "Flips a second in each room, or `max`.")
    var flips = "2"

    @Option(help: "Watchers a second, in total, who leave after a second.")
    var newcomers = 0.0

    @Option(help: "Watchers, in total, who read 64 KiB a second or nothing.")
    var slowReaders = 0

    @Option(help: "Watchers, in total, who all leave at once after the flips and come back.")
    var reconnect = 0

    @Option(help: "How many seconds to make flips.")
    var seconds = 10

    @Option(help: "Threads of this program; 0: one per processor, or half as many for a hub on this machine.")
    var threads = 0

    @Option(name: .customLong("ca"), help: "PEM: certificates to trust for the hub, instead of the system's.")
    var authority: String?

    @Option(help: "PEM: the certificate to show, for --tls-client-ca.")
    var cert: String?

    @Option(help: "PEM: its key.")
    var key: String?

    @Option(
        name: .customLong("json"), help: "Write all figures to this file as JSON; - prints them instead of the table.")
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

    /// Flips a second and room; nil for as many as possible.
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
        progress.endLine()
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
