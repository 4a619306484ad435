import ReferenceModel

/// One run of a world, and what has come of it.
public struct SimulationRun {
    /// The first promise that was broken, at which step; nil if all held.
    public let failure: BrokenPromise?
    public let steps: Int
    /// Of everything that happened: the same for the same settings, on any build.
    public let digest: UInt64
    public let events: Int
    public let simulatedSeconds: Int
    public let summary: String

    public init(_ settings: WorldSettings) {
        let world = World(settings)
        world.run()
        (failure, steps, digest) = (world.failure, world.steps, world.digest.value)
        events = world.counts.events
        simulatedSeconds = world.now / 1_000_000
        let counts = world.counts
        summary =
            "messages \(counts.messages), frames \(counts.frames), starts \(counts.starts), rests \(counts.rests), "
            + counts.eventTypes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            + "; "
            + counts.faults.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", ")
    }
}
