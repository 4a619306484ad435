// Starts threads by C calls; what leaves this file is an owner that frees what it made.
import Glibc
import Synchronization

/// A thread that runs a body and ends with it. It blocks all signals, which another thread waits for, except those of
/// its own faults. Without `join` the thread is detached when this object is freed, and continues to run.
public final class SystemThread: Sendable {
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS]

    private let thread: pthread_t
    private let isJoined = Atomic(false)

    /// - Parameters:
    ///   - name: shown by the system's tools, cut to 15 bytes.
    ///   - stackSizeBytes: nil for the system's default.
    public init(
        _ name: String, stackSizeBytes: Int? = nil, _ body: sending @escaping () -> Void
    ) throws(ThreadError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stackSizeBytes { pthread_attr_setstacksize(&attributes, stackSizeBytes) }
        var blocked = sigset_t()
        var before = sigset_t()
        sigfillset(&blocked)
        for fault in Self.faults { sigdelset(&blocked, fault) }
        let work = Unmanaged.passRetained(Work(name: name, body))
        var started = pthread_t()
        // A new thread inherits the signal mask of the thread that starts it.
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        let code = pthread_create(&started, &attributes, { Work.run($0) }, work.toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard code == 0 else {
            work.release()
            throw ThreadError(code: code)
        }
        thread = started
    }

    deinit { if !isJoined.load(ordering: .relaxed) { pthread_detach(thread) } }

    /// Waits until the body has returned. Call it once, from another thread.
    public func join() {
        precondition(!isJoined.exchange(true, ordering: .relaxed), "a thread is joined once")
        pthread_join(thread, nil)
    }
}

/// The system refuses another thread.
public struct ThreadError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system's error number.
    public let code: Int32

    public var description: String {
        "the system gives this process no more threads: raise the limit of its user's threads (ulimit -u), of its "
            + "unit's tasks (TasksMax) or of its address space (ulimit -v): \(String(cString: strerror(code)))"
    }
}

/// A body on its way to its thread.
private final class Work {
    private let name: String
    private let body: () -> Void

    init(name: String, _ body: @escaping () -> Void) { (self.name, self.body) = (name, body) }

    static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        // The reference that was retained for this thread.
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
        return nil
    }

    private func run() {
        nameThread()
        body()
    }

    /// By the kernel's file, since Swift's Glibc has no call for it. Without /proc only the name is lost.
    private func nameThread() {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let bytes = Array(name.utf8)
        _ = write(file, bytes, bytes.count)
        close(file)
    }
}
