import Synchronization
import Threads

/// Notices, on a thread of its own, that a call of the writer's thread to the disk does not return: a disk that stalls
/// gives no error, so nobody else would say that the log takes no writes.
final class StallWatch: Sendable {
    /// What the writer's thread shares with the others.
    final class Shared: Sendable {
        /// Goes up by one as the writer turns to the disk, and as the disk answers: odd in between.
        private let calls = Counter()
        private let watchers = Mutex<[any LogInbox]>([])
        /// While watchers think that the disk stalls: what they were told.
        private let told = Mutex<EventLogError?>(nil)
        private let isStalled = Flag()

        /// By the writer's thread, around what may have to wait for the disk.
        func waitsForDisk<Answer>(_ body: () throws(SQLiteError) -> Answer) throws(SQLiteError) -> Answer {
            calls.add()
            defer { calls.add() }
            return try body()
        }

        func add(_ watcher: any LogInbox) { watchers.withLock { $0.append(watcher) } }

        /// Who is told when the log stops or starts taking writes.
        var inboxes: [any LogInbox] { watchers.withLock { $0 } }

        /// Why nothing may be handed to the writer, which is stuck.
        var refusal: EventLogError? { isStalled.isRaised ? told.withLock { $0 } : nil }

        /// By the writer's thread, before it tells watchers what is true now.
        func isOver() {
            isStalled.lower()
            told.withLock { $0 = nil }
        }

        fileprivate var callUnderWay: Int? { calls.value & 1 == 1 ? calls.value : nil }

        fileprivate func stalled(_ error: EventLogError) {
            told.withLock { $0 = error }
            isStalled.raise()
        }

        fileprivate var isTold: Bool { isStalled.isRaised }
    }

    enum Job: Sendable {}

    private let shared: Shared
    private let limit: Duration
    private let counters: SharedLogCounters
    private let writer: Mailbox<WriterThread.Job>
    private let mailbox: Mailbox<Job>

    /// Between two looks: a stall may be taken to be longer by so much, never shorter.
    private var pause: Duration { limit / 8 }

    /// `limit`: how long a call may take.
    init(
        _ shared: Shared, limit: Duration, counters: SharedLogCounters, writer: Mailbox<WriterThread.Job>,
        mailbox: Mailbox<Job>
    ) {
        (self.shared, self.limit, self.counters, self.writer, self.mailbox) = (shared, limit, counters, writer, mailbox)
    }

    /// Runs until the mailbox is closed.
    func run() {
        // When it was first seen to be under way, and the look before that.
        var known: (call: Int, seen: ContinuousClock.Instant, since: ContinuousClock.Instant)?
        var lastLook = ContinuousClock.now
        while mailbox.takeAll(waiting: pause) != nil {
            let now = ContinuousClock.now
            defer { lastLook = now }
            guard let call = shared.callUnderWay else {
                known = nil
                continue
            }
            guard let (same, seen, since) = known, same == call else {
                known = (call, now, lastLook)
                continue
            }
            // It has taken at least the limit; what it has taken counts from the earliest that it can have begun.
            if now - seen >= limit, !shared.isTold { tell(now - since) }
        }
    }

    private func tell(_ span: Duration) {
        let error = EventLogError.stalled(milliseconds: Int(span / .milliseconds(1)))
        shared.stalled(error)
        counters.stalls.add()
        for inbox in shared.inboxes { inbox.deliver([.availability(.unavailable(error))]) }
        // The writer comes to this once the disk has answered: after what was told here, with what is true then.
        writer.post(.tellWatchers, isOwed: true)
    }
}
