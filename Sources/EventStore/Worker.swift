import Synchronization
import Threads

/// A thread that does the jobs in a mailbox, so that both end together.
final class Worker<Job: Sendable>: Sendable {
    private let mailbox: Mailbox<Job>
    /// Nil once it is closed.
    private let thread: Mutex<SystemThread?>

    /// `run` must return once the mailbox is closed and empty. Throws `cannotOpen` for `place` if the system gives no
    /// thread.
    init(
        _ name: String, of mailbox: Mailbox<Job>, at place: String, run: sending @escaping () -> Void
    ) throws(EventLogError) {
        self.mailbox = mailbox
        do throws(ThreadError) { thread = Mutex(try SystemThread(name, run)) } catch {
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
