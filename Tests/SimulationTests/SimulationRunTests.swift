import EventStore
import Foundation
import ReferenceModel
import Simulation
import Testing

@Suite("A simulated world") struct SimulationRunTests {
    private static let steps = 8_000

    @Test("the same settings make the same run, to the byte", arguments: [UInt64(1), 2, 3])
    func same(seed: UInt64) {
        let (one, other) = (
            SimulationRun(WorldSettings(seed: seed, steps: Self.steps)),
            SimulationRun(WorldSettings(seed: seed, steps: Self.steps))
        )
        #expect(one.failure == nil)
        #expect(one.digest == other.digest)
        #expect(one.counts.events == other.counts.events)
    }

    @Test("another seed makes another run")
    func others() {
        let digests = (1...5).map { SimulationRun(WorldSettings(seed: $0, steps: 2_000)).digest }
        #expect(Set(digests).count == 5)
    }

    @Test("a hub that moves between machines keeps its promises")
    func machines() {
        var settings = WorldSettings(seed: 7, steps: 20_000)
        settings.machines = 3
        settings.faults = [.crash, .restart, .clockStep, .stall]
        let run = SimulationRun(settings)
        #expect(run.failure == nil)
        #expect(run.counts.starts > 3)
    }

    @Test("the log that a run leaves has every event of every room")
    func log() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/simulated-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let run = SimulationRun(WorldSettings(seed: 4, steps: Self.steps))
        try run.leaveLog(in: folder)
        let reader = try SQLiteLogReader(folder: folder)
        var events = 0
        for stream in try reader.streams(after: nil, limit: 10_000) where stream.roomCode != nil {
            events += try reader.records(of: stream, after: 0, limit: .max).count
        }
        #expect(events > 0)
        #expect(events == run.roomEvents)
    }
}

@Suite("Shrinking a failing run") struct ShrinkingTests {
    private static let broken = BrokenPromise("a promise is kept", "it was not")

    /// Fails if these people take part and this fault happens to the hub. With fewer people it fails earlier.
    private func outcome(_ settings: WorldSettings) -> Shrinking.Outcome {
        guard settings.people.contains(3), settings.people.contains(7), settings.faults.contains(.crash) else {
            return (nil, settings.steps)
        }
        let step = 100 * settings.people.count
        return step <= settings.steps ? (Self.broken, step) : (nil, settings.steps)
    }

    @Test("everything irrelevant is removed")
    func leavesOut() {
        var settings = WorldSettings(seed: 1, steps: 10_000)
        (settings.people, settings.loops, settings.rooms) = (Array(0..<12), 3, 5)
        (settings.faults, settings.favourites) = ([.cut, .crash, .stall], [])
        var shrinking = Shrinking(settings, Self.broken, at: 1_200, outcome: outcome)
        shrinking.run()
        #expect(shrinking.settings.people == [3, 7])
        #expect(shrinking.settings.faults == [.crash])
        #expect(shrinking.settings.loops == 1)
        #expect(shrinking.settings.rooms == 1)
        #expect(shrinking.settings.steps == 200)
        #expect(
            shrinking.settings.arguments
                == "--seed 1 --steps 200 --hubs 1 --machines 1 --loops 1 --rooms 1 --people 3,7 --faults crash "
                + "--drawn-to none"
        )
    }

    @Test("another promise that breaks earlier is not a smaller form of this one")
    func others() {
        var settings = WorldSettings(seed: 1, steps: 10_000)
        (settings.people, settings.faults) = ([3, 7], [.crash])
        var shrinking = Shrinking(settings, Self.broken, at: 200) { settings in
            (BrokenPromise("another", ""), settings.steps)
        }
        shrinking.run()
        #expect(shrinking.settings.people == [3, 7])
    }

    @Test("several hubs on one log keep all promises", arguments: [4, 8] as [UInt64])
    func cluster(seed: UInt64) {
        var settings = WorldSettings(seed: seed, steps: 10_000)
        (settings.hubs, settings.faults) = (3, [])
        let run = SimulationRun(settings)
        #expect(run.failure == nil, "\(settings.arguments)")
        #expect(run.counts.starts == 3)
        #expect(run.roomEvents > 0)
    }

    @Test(
        "several hubs keep all promises after each fault of nodes", arguments: FaultKind.allCases.filter(\.isOfNodes))
    func nodes(fault: FaultKind) {
        var settings = WorldSettings(seed: 10, steps: 8_000)
        (settings.hubs, settings.faults) = (2, [fault])
        let run = SimulationRun(settings)
        #expect(run.failure == nil, "\(settings.arguments)")
        #expect(run.counts.faults[fault, default: 0] > 0)
    }

    @Test("faults of nodes do not happen to a single hub")
    func alone() {
        var settings = WorldSettings(seed: 3, steps: 5_000)
        settings.faults = []
        let digest = SimulationRun(settings).digest
        settings.faults = Set(FaultKind.allCases.filter(\.isOfNodes))
        #expect(SimulationRun(settings).digest == digest)
    }
}
