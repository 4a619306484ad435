import Foundation
import Synchronization
import Threads
import Transport

/// Returns memory to the system after a peak, on a thread of its own: clients that asked for much and did not read it,
/// ten thousand clients that came and left, or a long log that was read.
final class HeapReturn: Sendable {
    /// The pause between two checks, in seconds.
    static let pause = 5.0

    private let stopped = DispatchSemaphore(value: 0)
    private let thread = Mutex<SystemThread?>(nil)

    /// Runs until `stop`.
    func start() throws(ThreadError) {
        let started = try SystemThread("heap") { [stopped] in
            var heap = HeapTrim()
            repeat { heap.look() } while stopped.wait(timeout: .now() + Self.pause) == .timedOut
        }
        thread.withLock { $0 = started }
    }

    func stop() {
        stopped.signal()
        thread.withLock { $0.take() }?.join()
    }
}
