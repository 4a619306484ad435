import EventStore
import Records
import ReferenceModel
import Synchronization

/// One run of a world, and its result.
public struct SimulationRun {
    /// The first broken promise, at the last step; nil if all held.
    public let failure: BrokenPromise?
    /// How many things happened.
    public let steps: Int
    /// The digest of everything that happened: the same for the same settings, on any build.
    public let digest: UInt64
    public let counts: Counts
    public let nodeCounts: NodeCounts
    /// Time passed in the world.
    public let simulatedSeconds: Int
    /// Records of rooms in the log.
    public var roomEvents: Int { storage.records.count { $0.stream.roomCode != nil } }
    private let storage: InMemoryStorage

    /// Runs it to its end.
    public init(_ settings: WorldSettings, trace: Trace? = nil) {
        let world = World(settings, trace: trace)
        world.run()
        (failure, steps, digest) = (world.failure, world.steps, world.digest.value)
        (counts, simulatedSeconds) = (world.counts, world.now / 1_000_000)
        (storage, nodeCounts) = (world.disk.storage, NodeCounts(of: world))
        world.breakReferenceCycles()
    }

    /// Copies the world's log to a new log in `folder`, for `flipside replay`. Throws `EventLogError`.
    public func leaveLog(in folder: String) throws(EventLogError) {
        let log = try SQLiteLog(folder: folder)
        let inbox = LeftLog()
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
        log.close()
        if inbox.refusals > 0 { throw .cannotWrite(reason: "the log in \(folder) holds something else") }
    }
}

/// Counts what was not appended; `close` ends what is under way.
private final class LeftLog: LogInbox {
    private let count = Mutex(0)
    var refusals: Int { count.withLock { $0 } }

    func deliver(_ messages: [LogMessage]) {
        for case .settled(_, let answer) in messages {
            if case .appended = answer { continue }
            count.withLock { $0 += 1 }
        }
    }
}
