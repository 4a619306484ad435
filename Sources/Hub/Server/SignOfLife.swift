import EventStore
import Games
import Threads

/// Records in the data folder, on a thread of its own, when all rooms could last be played. The time from then to the
/// next start was an outage. It also records what the log holds, so that the next start notices a loss.
final class SignOfLife: Sendable {
    private let storage: any HubStorage
    /// The outage that `ClockStart` records may be too long by this pause and a turn, but never too short.
    private let thread = PeriodicThread("sign-of-life", every: .seconds(1))

    init(in storage: any HubStorage) { self.storage = storage }

    /// Records `lastPlayed` and `tally` now and then until `stop`. Unchanged values are not written again. 0 or nil
    /// mean that there is nothing yet.
    func start(
        lastPlayed: @escaping @Sendable () -> Milliseconds, tally: @escaping @Sendable () -> LogTally?
    ) throws(ThreadError) {
        var recordedTime = 0
        var recordedTally: LogTally?
        try thread.start { [storage] in
            let played = lastPlayed()
            if played > recordedTime { storage.recordSignOfLife(at: played) }
            recordedTime = played
            if let tally = tally(), tally != recordedTally {
                storage.recordTally(tally)
                recordedTally = tally
            }
        }
    }

    /// Returns when the last record is written.
    func stop() { thread.stop() }
}
