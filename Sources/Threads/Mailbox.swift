// Waits by C calls; what leaves this file is a value, or an owner that frees what it made.
import Glibc

/// What becomes of a job that is posted.
public enum Posting: Sendable, Equatable {
    case taken, closed
    /// So many wait already.
    case full(limit: Int)
}

/// Jobs for one thread, in order; who posts never waits for it. Inlinable: generic code of another module would look up
/// at each call what it is of.
public final class Mailbox<Job: Sendable>: @unchecked Sendable {
    // Checked by hand: `jobs` and `isClosed` are touched only under `mutex`, which Swift's Mutex cannot be, having no
    // condition to wait for.
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline let filled = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    @usableFromInline var jobs: [Job] = []
    @usableFromInline var isClosed = false
    @usableFromInline let limit: Int

    /// `limit`: the most jobs that wait; more are refused, except those posted as `isOwed`.
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

    /// `isOwed`: the job goes on with one that was taken earlier, or takes something back; it does not count against
    /// the limit.
    @discardableResult @inlinable
    public func post(_ job: Job, isOwed: Bool = false) -> Posting {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isClosed { return .closed }
        if jobs.count >= limit, !isOwed { return .full(limit: limit) }
        jobs.append(job)
        if jobs.count == 1 { pthread_cond_signal(filled) }
        return .taken
    }

    /// Jobs that wait.
    public var count: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return jobs.count
    }

    /// All that waits, as soon as something does; nothing after `timeout`, if there is one; nil once the box is closed
    /// and empty.
    @inlinable
    public func takeAll(waiting timeout: Duration? = nil) -> [Job]? {
        let end = timeout.map(Mailbox.moment(after:))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
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

    /// Nothing is taken any more; what waits is still handed out.
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
