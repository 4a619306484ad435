import EventStore
import ReferenceModel

/// One run of a world, and what has come of it.
public struct SimulationRun {
    public let settings: WorldSettings
    /// The first promise that was broken, at the last step; nil if all held.
    public let failure: BrokenPromise?
    public let steps: Int
    /// Of everything that happened: the same for the same settings, on any build.
    public let digest: UInt64
    public let counts: Counts
    public let simulatedSeconds: Int
    /// Records of rooms in the log.
    public var roomEvents: Int { storage.records.count { $0.stream.roomCode != nil } }
    private let storage: InMemoryStorage

    /// Runs it to its end.
    public init(_ settings: WorldSettings) {
        let world = World(settings)
        world.run()
        self.settings = settings
        (failure, steps, digest) = (world.failure, world.steps, world.digest.value)
        (counts, simulatedSeconds) = (world.counts, world.now / 1_000_000)
        storage = world.disk.storage
        world.end()
    }

    /// Writes all that the world's log holds into a log in `folder`, for `flipside replay`. Throws `EventLogError`, or
    /// what keeps it from being written there.
    public func leaveLog(in folder: String) throws {
        let log = try SQLiteLog(folder: folder)
        defer { log.close() }
        let inbox = LastAnswer()
        var rest = storage.records[...]
        while let first = rest.first {
            let part = rest.prefix { $0.commit == first.commit && $0.stream == first.stream }
            rest = rest.dropFirst(part.count)
            let before =
                first.version == 1 ? first.stream.start : storage.records(of: first.stream)[first.version - 2].end
            log.append(
                Commit(id: first.commit, appending: part.map(\.event), to: first.stream, expecting: before), ticket: 1,
                answer: inbox)
        }
    }
}

/// Nobody waits for an answer: `close` ends what is under way.
private final class LastAnswer: LogInbox {
    func deliver(_ messages: [LogMessage]) {}
}
