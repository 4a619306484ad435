// Waits by C calls; what leaves this file is a value, or an owner that frees what it made.
import Glibc

/// The result of posting a job.
public enum Posting: Sendable, Equatable {
    case taken, closed
    /// This many jobs are waiting already.
    case full(limit: Int)
}

/// How long a thread lets jobs gather before it takes them, and how many end that early.
public struct Gathering: Sendable {
    public let time: Duration
    public let count: Int

    public init(_ time: Duration, orUntil count: Int) { (self.time, self.count) = (time, count) }
}

/// Jobs for one thread, in order; posting never waits for it. Inlinable, since generic code of another module would
/// look up its type at each call.
public final class Mailbox<Job: Sendable>: @unchecked Sendable {
    // Checked by hand: all variables are only used under `mutex`. It cannot be Swift's Mutex, which has no
    // condition variable.
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    @usableFromInline var jobs: [Job] = []
    @usableFromInline var isClosed = false
    /// So many waiting jobs wake the thread: 1, or more while it gathers. Only a box with a single taker gathers.
    @usableFromInline var wakingCount = 1
    @usableFromInline let limit: Int

    /// At most `limit` jobs wait. More are refused, except those posted as `isOwed`.
    public init(limit: Int) {
        self.limit = limit
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(filled, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(filled)
        pthread_mutex_destroy(mutex)
        filled.deallocate()
        mutex.deallocate()
    }

    /// A job that `isOwed` continues or undoes an earlier one and does not count against the limit.
    @discardableResult @inlinable
    public func post(_ job: Job, isOwed: Bool = false) -> Posting {
        var isToWake = false
        // After the mutex is free: the thread would wake only to wait for it.
        defer { if isToWake { pthread_cond_signal(filled) } }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isClosed { return .closed }
        if jobs.count >= limit, !isOwed { return .full(limit: limit) }
        jobs.append(job)
        isToWake = jobs.count == wakingCount
        return .taken
    }

    /// Posts jobs in order, as far as there is room. Returns how many were taken, and why the next was not.
    @inlinable
    public func post(_ batch: [Job]) -> (taken: Int, next: Posting) {
        var isToWake = false
        defer { if isToWake { pthread_cond_signal(filled) } }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isClosed { return (0, .closed) }
        let taken = min(batch.count, max(0, limit - jobs.count))
        let before = jobs.count
        jobs += batch.prefix(taken)
        isToWake = before < wakingCount && jobs.count >= wakingCount
        return (taken, taken == batch.count ? .taken : .full(limit: limit))
    }

    /// Jobs that wait.
    public var count: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return jobs.count
    }

    /// Waits for jobs and takes all of them; empty after `timeout`, if there is one; nil once the box is closed and
    /// empty. If `gathering`, it first lets jobs gather.
    @inlinable
    public func takeAll(waiting timeout: Duration? = nil, gathering: Gathering? = nil) -> [Job]? {
        let end = timeout.map(Mailbox.moment(after:))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let gathering { gather(gathering) }
        while jobs.isEmpty {
            if isClosed { return nil }
            guard var end else {
                pthread_cond_wait(filled, mutex)
                continue
            }
            if pthread_cond_timedwait(filled, mutex, &end) == ETIMEDOUT { break }
        }
        let taken = jobs
        jobs = []
        return taken
    }

    /// Called under `mutex`.
    @usableFromInline
    func gather(_ gathering: Gathering) {
        var end = Mailbox.moment(after: gathering.time)
        wakingCount = gathering.count
        while jobs.count < wakingCount, !isClosed {
            if pthread_cond_timedwait(filled, mutex, &end) == ETIMEDOUT { break }
        }
        wakingCount = 1
    }

    /// Refuses further jobs. Those that wait are still handed out.
    public func close() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isClosed = true
        pthread_cond_broadcast(filled)
    }

    @usableFromInline
    static func moment(after timeout: Duration) -> timespec {
        var moment = timespec()
        clock_gettime(CLOCK_MONOTONIC, &moment)
        let (seconds, attoseconds) = timeout.components
        moment.tv_sec += Int(seconds)
        moment.tv_nsec += Int(attoseconds / 1_000_000_000)
        if moment.tv_nsec >= 1_000_000_000 {
            moment.tv_sec += 1
            moment.tv_nsec -= 1_000_000_000
        }
        return moment
    }
}
