import EventStore
import Foundation
import Games
import Synchronization
import Threads

/// Notes in the data folder when all rooms could last be played, on a thread of its own: what lies between that and the
/// next start was an outage. It notes what the log holds, too: what is missing at the next start is lost.
final class SignOfLife: Sendable {
    /// How often it is noted. An outage may be taken to be longer by so much and a turn, never shorter.
    static let pause = 1.0

    private let storage: any HubStorage
    private let stopped = DispatchSemaphore(value: 0)
    private let thread = Mutex<SystemThread?>(nil)

    init(in storage: any HubStorage) { self.storage = storage }

    /// Notes now and then what `lastPlayed` and `tally` say, until `stop`. What has not changed is not noted again; 0,
    /// or nil: not yet.
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

    /// Returns when the last note is written.
    func stop() {
        stopped.signal()
        thread.withLock { $0.take() }?.join()
    }
}
