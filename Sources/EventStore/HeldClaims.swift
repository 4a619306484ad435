import Records

/// The streams that a log's run has claimed, and for each the inbox that learns of a lost claim.
struct HeldClaims: Sendable {
    private let run: String?
    private var inboxes: [StreamName: any LogInbox] = [:]

    init(of run: String?) { self.run = run }

    /// All of them as changes, in the order of their names, for claiming them again.
    var all: [ClaimChange] {
        inboxes.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
            .map { ClaimChange(kind: .claim, stream: $0.key, ticket: 0, inbox: $0.value) }
    }

    /// The result has a claim, or nil for a release.
    mutating func answer(_ change: ClaimChange, _ result: Result<Claim?, EventLogError>, in outbox: inout Outbox) {
        switch (change.kind, result) {
        case (.claim, .success(let claim)):
            inboxes[change.stream] = claim?.holder == run ? change.inbox : nil
            if let claim { outbox.add(.claimed(change.ticket, .success(claim)), to: change.inbox) }
        case (.claim, .failure(let error)): outbox.add(.claimed(change.ticket, .failure(error)), to: change.inbox)
        case (.release, _):
            // Even if that failed.
            forget(change.stream)
            outbox.add(.released(change.ticket, result.map { _ in change.stream }), to: change.inbox)
        }
    }

    /// A stream that is given up must not be claimed again.
    mutating func forget(_ stream: StreamName) { inboxes[stream] = nil }

    /// Reports a claim that was made again to the inbox if another run holds it, or if time is owed.
    mutating func claimedAgain(_ change: ClaimChange, _ claim: Claim?, in outbox: inout Outbox) {
        if claim?.holder != run {
            inboxes[change.stream] = nil
            outbox.add(.claimLost(change.stream), to: change.inbox)
        } else if let claim, claim.since != nil {
            outbox.add(.claimedAgain(claim), to: change.inbox)
        }
    }
}
