import EventStore
import Foundation
import Games
import Synchronization
import Threads

/// Records in the data folder, on a thread of its own, when all rooms could last be played. The time from then to the
/// next start was an outage. It also records what the log holds, so that the next start notices a loss.
final class SignOfLife: Sendable {
    /// The pause between two records, in seconds. An outage may seem longer by this and a turn, but never shorter.
    static let pause = 1.0

    private let storage: any HubStorage
    private let stopped = DispatchSemaphore(value: 0)
    private let thread = Mutex<SystemThread?>(nil)

    init(in storage: any HubStorage) { self.storage = storage }

    /// Records `lastPlayed` and `tally` now and then until `stop`. Unchanged values are not written again. 0 or nil
    /// mean that there is nothing yet.
    func start(
        lastPlayed: @escaping @Sendable () -> Milliseconds, tally: @escaping @Sendable () -> LogTally?
    ) throws(ThreadError) {
        let started = try SystemThread("sign-of-life") { [storage, stopped] in
            var noted = 0
            var notedTally: LogTally?
            func note() {
                let played = lastPlayed()
                if played > noted { storage.note(signOfLife: played) }
                noted = played
                if let tally = tally(), tally != notedTally {
                    storage.note(tally)
                    notedTally = tally
                }
            }
            repeat { note() } while stopped.wait(timeout: .now() + Self.pause) == .timedOut
            note()
        }
        thread.withLock { $0 = started }
    }

    /// Returns when the last record is written.
    func stop() {
        stopped.signal()
        thread.withLock { $0.take() }?.join()
    }
}
