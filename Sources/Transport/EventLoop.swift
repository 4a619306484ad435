import Glibc
import Synchronization

final class LoopExecutor: SerialExecutor {
    let inbox: Inbox
    private let thread = Atomic<UInt>(0)

    init(inbox: Inbox) { self.inbox = inbox }
    func adopt() { thread.store(UInt(pthread_self()), ordering: .releasing) }
    func enqueue(_ job: consuming ExecutorJob) { inbox.enqueue(UnownedJob(job)) }

    func checkIsolated() {
        precondition(
            thread.load(ordering: .acquiring) == UInt(pthread_self()), "a loop's state is used on its thread only")
    }
}

/// One event loop in the compiler's eyes: everything on the loop is isolated to this actor. It is entered once and the
/// whole loop runs inside, since entering it for each event would cost more than most events do.
actor EventLoop {
    private let executor: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    init(_ executor: LoopExecutor) { self.executor = executor }

    /// Makes the loop and runs it until it is stopped. `ready` gets the error if it cannot be made.
    func run(_ part: LoopPart, _ shared: SharedState, ready: Latch) {
        do throws(TransportError) {
            let loop = try Loop(part, shared: shared, executor: executor)
            ready.open(nil)
            loop.run()
        } catch {
            ready.open(error)
        }
    }

    nonisolated func occupyThread(_ part: LoopPart, _ shared: SharedState, ready: Latch) {
        executor.adopt()
        assumeIsolated { $0.run(part, shared, ready: ready) }
        executor.inbox.closeForGood()
    }
}

/// Waits for another thread's result.
final class Latch: Sendable {
    private let answer = Mutex<TransportError?>(nil)
    private let wakeUp: WakeUp

    init() throws(TransportError) { wakeUp = try WakeUp() }

    func open(_ error: TransportError?) {
        answer.withLock { $0 = error }
        wakeUp.signal()
    }

    func wait() -> TransportError? {
        wakeUp.wait()
        return answer.withLock { $0 }
    }
}
