import Foundation
import Synchronization

/// What happens on other threads, in order.
final class Notes: Sendable {
    /// Long enough for a busy machine. A passing test never waits so long.
    private static let timeout = 60.0

    private let list = Mutex<[String]>([])
    private let added = DispatchSemaphore(value: 0)

    func add(_ note: String) {
        list.withLock { $0.append(note) }
        added.signal()
    }

    var all: [String] { list.withLock { $0 } }

    /// Waits until `isDone` accepts the notes; false if it never does. For one thread at a time.
    func wait(_ isDone: ([String]) -> Bool) -> Bool {
        let end = DispatchTime.now() + Self.timeout
        while !isDone(all) {
            guard DispatchTime.now() < end else { return false }
            // Counters change without a note.
            _ = added.wait(timeout: .now() + 0.01)
        }
        return true
    }

    /// Waits until this was noted so many times.
    func wait(for note: String, times: Int = 1) -> Bool { wait { $0.count { $0 == note } >= times } }
}
