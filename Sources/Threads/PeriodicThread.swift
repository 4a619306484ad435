import Synchronization

/// A thread that calls a body at intervals.
public final class PeriodicThread: Sendable {
    private let name: String
    private let pause: Duration
    private let stopping = Latch()
    private let thread = Mutex<SystemThread?>(nil)

    /// - Parameter name: shown by the system's tools, cut to 15 bytes.
    public init(_ name: String, every pause: Duration) { (self.name, self.pause) = (name, pause) }

    /// Calls `body` at once, then after each pause, and a last time after `stop`.
    public func start(_ body: sending @escaping () -> Void) throws(ThreadError) {
        let started = try SystemThread(name) { [stopping, pause] in
            repeat { body() } while !stopping.wait(pause)
            body()
        }
        thread.withLock { $0 = started }
    }

    /// Returns when the last call has ended.
    public func stop() {
        stopping.open()
        thread.withLock { $0.take() }?.join()
    }
}
