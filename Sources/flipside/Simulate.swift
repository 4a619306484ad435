import ArgumentParser
import Foundation
import Simulation

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play, break and check a whole hub in a simulated world.",
        discussion: """
            Runs a hub with its log, clock, clients and faults in one thread. Everything follows from the seed, to the \
            byte, and a model of what it promises checks each step. If a promise is broken, it ends with \
            status 1, prints a shrunk run and leaves the log for `flipside replay`.
            """)

    @Option(
        help: ArgumentHelp(
            "The seed that everything follows from, or the first. (default: 1, or new ones with --minutes)",
            valueName: "seed"))
    var seed: UInt64?

    @Option(help: "Steps of the run.")
    var steps = WorldSettings.usualSteps

    @Option(help: "Hubs that share a log: nodes of a cluster. (default: the seed's)")
    var hubs: Int?

    @Option(help: "Machines that a hub may run on, one at a time, each with a clock of its own. (default: the seed's)")
    var machines: Int?

    @Option(help: "Try new seeds for this many minutes.")
    var minutes: Double?

    @Option(help: "Run each line of a file with its options; text after a # is a comment.")
    var list: String?

    @Option(help: "Loops of the hub. (default: the seed's)")
    var loops: Int?

    @Option(help: "Rooms that people use at a time. (default: the seed's)")
    var rooms: Int?

    @Option(help: "People who take part, as numbers separated by commas. (default: the seed's)")
    var people: String?

    @Option(
        help:
            "Faults: \(FaultKind.allCases.map { "\($0)" }.joined(separator: ", ")). (default: the seed's)"
    )
    var faults: String?

    @Option(
        help: ArgumentHelp(
            "What people like besides playing: \(WorldSettings.everyFavourite.joined(separator: ", ")). "
                + "(default: the seed's)",
            valueName: "whims"))
    var drawnTo: String?

    @Option(help: "Folder for the logs of failed runs, each in a folder of its own.")
    var log = "simulated-log"

    @Option(
        help: "Print what happens to the hubs and to this room, by its code or `all`. A failed run is not shrunk.")
    var trace: String?

    @Flag(help: "Print which events were recorded in which state of a room, after which faults.")
    var reach = false

    @Flag(help: "Print the work of each event of a room for all nodes together and for the busiest one.")
    var counts = false

    func validate() throws {
        guard steps > 0, hubs ?? 1 > 0, machines ?? 1 > 0, loops ?? 1 > 0, rooms ?? 1 > 0 else {
            throw ValidationError("Steps, hubs, machines, loops and rooms are at least 1.")
        }
        guard (1...64).contains(loops ?? 1), hubs ?? 1 <= 16, machines ?? 1 <= 16 else {
            throw ValidationError("There are 16 simulated hubs at most, each with 64 loops and 16 machines.")
        }
        _ = try settings(seed: 1)
    }

    /// The settings of a seed, except those given as options.
    private func settings(seed: UInt64) throws -> WorldSettings {
        var settings = WorldSettings(seed: seed, steps: steps)
        if let hubs { settings.hubs = hubs }
        if let machines { settings.machines = machines }
        if let loops { settings.loops = loops }
        if let rooms { settings.rooms = rooms }
        if let people {
            let numbers = people.split(separator: ",").map { Int($0) }
            guard !numbers.isEmpty, numbers.allSatisfy({ $0.map { (0..<10_000).contains($0) } ?? false }),
                Set(numbers).count == numbers.count
            else {
                throw ValidationError("--people takes numbers below 10000, each once, separated by commas: 0,1,5.")
            }
            settings.people = numbers.compactMap { $0 }
        }
        if let faults {
            settings.faults = []
            for name in faults.split(separator: ",") where name != "none" {
                guard let kind = FaultKind.allCases.first(where: { "\($0)" == name }) else {
                    throw ValidationError("There is no fault `\(name)`: see --help.")
                }
                settings.faults.insert(kind)
            }
        }
        if let drawnTo {
            settings.favourites = drawnTo.split(separator: ",").map(String.init).filter { $0 != "none" }
            if let name = settings.favourites.first(where: { !WorldSettings.everyFavourite.contains($0) }) {
                throw ValidationError("There is no whim `\(name)`: see --help.")
            }
        }
        return settings
    }

    func run() throws {
        var tally = SimulationTally()
        defer { if reach { print(tally.reach) } }
        if let list {
            var failures = 0
            for line in try lines(of: list) {
                let other = try Simulate.parse(line.split(separator: " ").map(String.init))
                do {
                    try tally.run(try other.settings(seed: other.seed ?? 1), leavingLogIn: log, isQuiet: false)
                } catch is ExitCode { failures += 1 }
            }
            if failures > 0 { throw ExitCode.failure }
        } else if let minutes {
            // Seeds that no one has tried, unless one was given.
            var next = seed ?? UInt64.random(in: 0..<1 << 40)
            let end = ContinuousClock.now + .seconds(minutes * 60)
            while ContinuousClock.now < end {
                var settings = try settings(seed: next)
                // Every other run prefers what the earlier runs have rarely reached.
                if drawnTo == nil, next % 2 == 0, tally.counts.events > 0 { settings.draw(towards: tally.counts.reach) }
                try tally.run(settings, leavingLogIn: log, isQuiet: true)
                next += 1
            }
            print(tally.sentence)
        } else if let trace {
            let run = SimulationRun(
                try settings(seed: seed ?? 1), trace: Trace(ofRoom: trace == "all" ? nil : trace) { print($0) })
            guard let failure = run.failure else { return }
            print("step \(run.steps): \(failure)")
            throw ExitCode.failure
        } else {
            try tally.run(try settings(seed: seed ?? 1), leavingLogIn: log, isQuiet: false)
            if counts { tally.nodeCounts.map { print(Self.table(of: $0)) } }
        }
    }

    private static func table(of counts: NodeCounts) -> String {
        let lines = counts.works.map { work in
            let (all, most) = (work.ofAll(counts.events), work.ofBusiest(counts.events))
            return work.name.padding(toLength: 20, withPad: " ", startingAt: 0)
                + String(format: "%9.2f %9.2f", all, most)
        }
        return (["for each event          all busiest"] + lines).joined(separator: "\n")
    }

    /// The part of each line before `#`.
    private func lines(of file: String) throws -> [Substring] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw CommandLineError("The list \(file) cannot be read.")
        }
        return text.split(separator: "\n").map { $0.prefix { $0 != "#" } }.filter { !$0.allSatisfy(\.isWhitespace) }
    }
}

/// The totals of several runs.
private struct SimulationTally {
    private var runs = 0
    private var steps = 0
    private var simulatedSeconds = 0
    private(set) var counts = Counts()
    /// Of the last run.
    private(set) var nodeCounts: NodeCounts?
    private var seconds = 0.0

    mutating func run(_ settings: WorldSettings, leavingLogIn folder: String, isQuiet: Bool) throws {
        let start = ContinuousClock.now
        let run = SimulationRun(settings)
        let took = (ContinuousClock.now - start).inSeconds
        (runs, steps, seconds) = (runs + 1, steps + run.steps, seconds + took)
        simulatedSeconds += run.simulatedSeconds
        counts.add(run.counts)
        nodeCounts = run.nodeCounts
        if !isQuiet {
            print(
                "seed \(settings.seed): \(run.steps) steps, \(run.counts.events) events, "
                    + "\(run.simulatedSeconds / 60) simulated minutes, digest \(String(run.digest, radix: 16))")
        }
        guard let failure = run.failure else { return }
        print("seed \(settings.seed), step \(run.steps): \(failure)")
        var shrinking = Shrinking(settings, failure, at: run.steps)
        shrinking.run()
        print("shrunk: flipside simulate \(shrinking.settings.arguments)")
        print("        \(shrinking.failure)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let place = freeFolder(in: folder, settings.seed)
        do { try SimulationRun(shrinking.settings).leaveLog(in: place) } catch {
            throw CommandLineError(error.sentence)
        }
        let code = shrinking.failure.detail.firstMatch(of: /room (?<code>[2-9a-hjkmnp-z]{6,32})/)?.output.code ?? "CODE"
        print("its log: flipside replay \(code) --data \(place)")
        throw ExitCode.failure
    }

    /// A folder that does not exist yet.
    private func freeFolder(in folder: String, _ seed: UInt64) -> String {
        var (place, number) = ("\(folder)/seed-\(seed)", 1)
        while FileManager.default.fileExists(atPath: place) {
            number += 1
            place = "\(folder)/seed-\(seed)-\(number)"
        }
        return place
    }

    var sentence: String {
        let hours = Double(simulatedSeconds) / 3_600
        return "\(runs) seeds, \(steps) steps, \(counts.events) events, "
            + "\(counts.messages) messages of clients, \(counts.frames) to them, "
            + "\(counts.starts) starts, \(counts.rests) times at rest, \(Int(hours)) simulated hours: "
            + "all promises held. \(Int(Double(counts.events) / max(0.001, seconds))) events a second."
    }

    var reach: String {
        let shares = counts.reach.shares
        let faults = FaultKind.allCases.map { "\($0) \(counts.faults[$0, default: 0])" }.joined(separator: ", ")
        let closings = counts.closings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return counts.reach.lines.joined(separator: "\n") + "\nfaults: \(faults)\n"
            + "connections that the hub closed: \(closings.joined(separator: ", "))\n"
            + "\(shares.reached) of \(shares.of) combinations of event, fault and status, "
            + "\(shares.pairs) of \(shares.ofPairs) pairs of faults"
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
