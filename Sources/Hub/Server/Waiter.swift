import EventStore
import Foundation
import Synchronization

/// Asks the log for something and waits: for the start of the hub, when nothing else runs yet.
final class Waiter: LogInbox {
    private let answers = Mutex<[LogMessage]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func deliver(_ messages: [LogMessage]) {
        answers.withLock { $0 += messages }
        for _ in messages { arrived.signal() }
    }

    /// The next message that `wanted` takes; others are passed over.
    func next<Answer>(_ wanted: (LogMessage) -> Answer?) -> Answer {
        while true {
            arrived.wait()
            let message = answers.withLock { $0.removeFirst() }
            if let answer = wanted(message) { return answer }
        }
    }
}
