import Synchronization
import Threads

/// A thread that does the jobs in a mailbox, for whoever ends both together.
final class Worker<Job: Sendable>: Sendable {
    private let mailbox: Mailbox<Job>
    /// Nil once it is closed.
    private let thread: Mutex<SystemThread?>

    /// `run` goes on until the mailbox is closed and empty. Throws `cannotOpen`, of `place`, where the system gives no
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

    /// Takes no job any more and waits until those there are have been done. Not to be called from one.
    func close() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        mailbox.close()
        thread.join()
    }
}
