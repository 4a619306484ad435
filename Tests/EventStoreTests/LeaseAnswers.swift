import Foundation
import Records
import Synchronization

@testable import EventStore

extension LeaseStore {
    /// Waits for the answer; a nil note only reads.
    func answer(
        renewing note: String? = nil, _ presence: PresenceReport = PresenceReport(),
        silences: SilenceReport = SilenceReport(isServing: true)
    ) -> Result<LeaseRenewal, EventLogError> {
        let answers = Mutex<[Result<LeaseRenewal, EventLogError>]>([])
        let arrived = DispatchSemaphore(value: 0)
        let take: @Sendable (Result<LeaseRenewal, EventLogError>) -> Void = { answer in
            answers.withLock { $0.append(answer) }
            arrived.signal()
        }
        if let note {
            renew(Array(note.utf8), presence: presence, silences: silences, answer: take)
        } else {
            read(answer: take)
        }
        arrived.wait()
        return answers.withLock { $0.first } ?? .failure(.closed)
    }
}

extension Lease {
    init(_ run: String, _ note: String, _ renewals: Int) {
        self.init(run: run, note: Array(note.utf8), renewals: renewals)
    }
}
