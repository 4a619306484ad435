import EventStore
import Records
import Threads

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
    private let answers = Mailbox<LogMessage>(limit: .max)

    func deliver(_ messages: [LogMessage]) { for message in messages { answers.post(message) } }

    /// The next message that `wanted` accepts. Skips others.
    func next<Answer>(_ wanted: (LogMessage) -> Answer?) -> Answer {
        while let messages = answers.takeAll() {
            if let answer = messages.lazy.compactMap(wanted).first { return answer }
        }
        preconditionFailure("the box is never closed")
    }
}
