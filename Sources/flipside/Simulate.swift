import ArgumentParser
import Simulation

/// Runs a hub in a world from one seed.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play, break and check a whole hub in a simulated world.",
        discussion: "The same seed makes the same run, to the byte. Ends with status 1 if a promise is broken.")

    @Option(help: "The seed that everything follows from.")
    var seed: UInt64 = 1

    @Option(help: "How many steps.")
    var steps = 1_000_000

    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let run = SimulationRun(WorldSettings(seed: seed, steps: steps))
        let seconds =
            Double((clock.now - start).components.seconds) + Double((clock.now - start).components.attoseconds) / 1e18
        print(
            "digest \(String(run.digest, radix: 16)), steps \(run.steps), events \(run.events), simulated \(run.simulatedSeconds) s, took \(seconds) s, events/s \(Int(Double(run.events) / seconds))"
        )
        print(run.summary)
        if let failure = run.failure {
            print("seed \(seed), step \(run.steps): \(failure)")
            throw ExitCode.failure
        }
    }
}
