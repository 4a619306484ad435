import EventStore
import Foundation
import Records
import Synchronization

/// Waits for the answers of a log. Only used while a hub starts and nothing else runs.
struct BlockingLog {
    private let log: any EventLog
    private let inbox = BlockingInbox()

    init(_ log: any EventLog) { self.log = log }

    func load(_ stream: StreamName, after version: Int = 0) throws(EventLogError) -> [Record] {
        log.load(stream, after: version, limit: .max, ticket: 1, answer: inbox)
        return try loaded().get()
    }

    func loadNewest(_ limit: Int) throws(EventLogError) -> [Record] {
        log.loadNewest(limit, ticket: 1, answer: inbox)
        return try loaded().get()
    }

    func append(_ commit: Commit) -> AppendAnswer {
        log.append(commit, ticket: 1, answer: inbox)
        return inbox.next { message in if case .settled(_, let answer) = message { answer } else { nil } }
    }

    private func loaded() -> Result<[Record], EventLogError> {
        inbox.next { message in if case .loaded(_, let result) = message { result } else { nil } }
    }
}

private final class BlockingInbox: LogInbox {
    private let answers = Mutex<[LogMessage]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func deliver(_ messages: [LogMessage]) {
        answers.withLock { $0 += messages }
        for _ in messages { arrived.signal() }
    }

    /// The next message that `wanted` accepts. Skips others.
    func next<Answer>(_ wanted: (LogMessage) -> Answer?) -> Answer {
        while true {
            arrived.wait()
            let message = answers.withLock { $0.removeFirst() }
            if let answer = wanted(message) { return answer }
        }
    }
}
