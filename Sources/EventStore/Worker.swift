import Synchronization
import Threads

/// What a thread of its own does with the jobs in its mailbox.
protocol StoreThread: AnyObject, SendableMetatype {
    associatedtype Job: Sendable

    /// When `runJobs` is called even if no job waits; nil if never.
    var nextDue: ContinuousClock.Instant? { get }

    /// How long jobs may gather before the next `runJobs`; nil: not at all.
    var gathering: Gathering? { get }

    /// Does all jobs that wait, in order; none if something else is due.
    func runJobs(_ jobs: [Job])

    /// Called last: answers what is left.
    func shutDown()
}

extension StoreThread {
    var nextDue: ContinuousClock.Instant? { nil }
    var gathering: Gathering? { nil }
    func shutDown() {}

    fileprivate var timeLeft: Duration? { nextDue.map { max(.zero, ContinuousClock.now.duration(to: $0)) } }
}

/// A thread that does the jobs in a mailbox, so that both end together.
final class Worker<Job: Sendable>: Sendable {
    private let mailbox: Mailbox<Job>
    /// Nil once it is closed.
    private let thread: Mutex<SystemThread?>

    /// Throws `cannotOpen` for `place` if the system gives no thread.
    init<Work: StoreThread>(
        _ name: String, of mailbox: Mailbox<Job>, at place: String, doing work: sending Work
    ) throws(EventLogError) where Work.Job == Job {
        self.mailbox = mailbox
        do throws(ThreadError) {
            thread = Mutex(
                try SystemThread(name) {
                    while let jobs = mailbox.takeAll(waiting: work.timeLeft, gathering: work.gathering) {
                        work.runJobs(jobs)
                    }
                    work.shutDown()
                })
        } catch {
            throw .cannotOpen(path: place, reason: error.description)
        }
    }

    deinit { close() }

    /// Takes no further jobs and waits until the present ones are done. Must not be called from a job.
    func close() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        mailbox.close()
        thread.join()
    }
}
