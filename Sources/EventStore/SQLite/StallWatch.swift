import Synchronization
import Threads

/// Notices, on its own thread, that a disk call of the writer's thread does not return. A stalled disk gives no error,
/// so nothing else would report that the log takes no writes.
final class StallWatch: StoreThread {
    /// What the writer's thread shares with the others.
    final class Shared: Sendable {
        /// Increases by one when the writer calls the disk, and when the disk answers. It is odd in between.
        private let calls = Counter()
        private let watchers = Mutex<[any LogInbox]>([])
        /// What watchers were told, while they think that the disk stalls.
        private let told = Mutex<EventLogError?>(nil)
        private let isStalled = Flag()

        /// Called by the writer's thread around anything that may wait for the disk.
        func waitsForDisk<Answer>(_ body: () throws(SQLiteError) -> Answer) throws(SQLiteError) -> Answer {
            calls.add()
            defer { calls.add() }
            return try body()
        }

        func add(_ watcher: any LogInbox) { watchers.withLock { $0.append(watcher) } }

        /// The inboxes that learn when the log stops or starts taking writes.
        var inboxes: [any LogInbox] { watchers.withLock { $0 } }

        /// Why nothing may be handed to the writer while it is stuck.
        var refusal: EventLogError? { isStalled.isRaised ? told.withLock { $0 } : nil }

        /// Called by the writer's thread before it tells watchers the present state.
        func diskAnswered() {
            isStalled.lower()
            told.withLock { $0 = nil }
        }

        fileprivate var callUnderWay: Int? { calls.value & 1 == 1 ? calls.value : nil }

        fileprivate func reportStall(_ error: EventLogError) {
            told.withLock { $0 = error }
            isStalled.raise()
        }

        fileprivate var isTold: Bool { isStalled.isRaised }
    }

    enum Job: Sendable {}

    /// A call to the disk: when it was first seen under way, and the look before that.
    private struct Call {
        let number: Int
        let seen: ContinuousClock.Instant
        let since: ContinuousClock.Instant
    }

    private let shared: Shared
    private let limit: Duration
    private let calls: LogCalls
    private var known: Call?
    private var lastLook = ContinuousClock.now

    /// `limit`: how long a call may take.
    init(_ shared: Shared, limit: Duration, _ calls: LogCalls) {
        (self.shared, self.limit, self.calls) = (shared, limit, calls)
    }

    /// Between two looks. A stall may be reported longer by this much, never shorter.
    var nextDue: ContinuousClock.Instant? { lastLook + limit / 8 }

    func runJobs(_ jobs: [Job]) {
        let now = ContinuousClock.now
        defer { lastLook = now }
        guard let number = shared.callUnderWay else { return known = nil }
        guard let call = known, call.number == number else {
            return known = Call(number: number, seen: now, since: lastLook)
        }
        // The call has taken at least `limit`. The reported time counts from the earliest moment it can have begun.
        if now - call.seen >= limit, !shared.isTold { reportStall(of: now - call.since) }
    }

    private func reportStall(of span: Duration) {
        let error = EventLogError.stalled(milliseconds: Int(span / .milliseconds(1)))
        shared.reportStall(error)
        calls.counters.stalls.add()
        for inbox in shared.inboxes { inbox.deliver([.availability(.unavailable(error))]) }
        // The writer does this once the disk has answered: after the message above, and with the state at that time.
        calls.writer.post(.diskAnswered, isOwed: true)
    }
}
