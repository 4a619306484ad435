import Records

@testable import EventStore

extension LeaseStore {
    /// Waits for the answer; a nil note only reads.
    func answer(
        renewing note: String? = nil, _ presence: PresenceReport = PresenceReport(),
        silences: SilenceReport = SilenceReport(isServing: true)
    ) -> Result<LeaseRenewal, EventLogError> {
        let reply = Reply<Result<LeaseRenewal, EventLogError>>()
        if let note {
            renew(Array(note.utf8), presence: presence, silences: silences, answer: reply.take)
        } else {
            read(answer: reply.take)
        }
        return (try? reply.wait()) ?? .failure(.closed)  // It has come once this returns.
    }
}

extension Lease {
    init(_ run: String, _ note: String, _ renewals: Int) {
        self.init(run: run, note: Array(note.utf8), renewals: renewals)
    }
}
