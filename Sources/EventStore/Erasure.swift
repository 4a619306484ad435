import Cryptography
import Records

/// What is left of an erased stream.
public struct Erasure: Sendable, Equatable {
    /// Shares one order with the positions of all records: a lower one was written before the erasure, a higher one
    /// after.
    public let position: Int
    /// The head that the stream had. Only those that kept something of the stream recognise it. A hash of the name
    /// could be found by trying names.
    public let head: Digest

    public init(position: Int, head: Digest) { (self.position, self.head) = (position, head) }
}

/// What is at one position of the log of all streams. `stream` is PostgreSQL's number for it.
enum FeedEntry: Sendable {
    case record(Record, stream: Int = 0)
    case erasure(Erasure, stream: Int = 0)

    var position: Int {
        switch self {
        case .record(let record, _): record.position
        case .erasure(let erasure, _): erasure.position
        }
    }
}

extension [FeedEntry] {
    /// In the order of positions, as both lists are.
    init(_ records: [Record], _ erasures: [Erasure]) {
        self = records.map { .record($0) }
        guard !erasures.isEmpty else { return }
        self += erasures.map { .erasure($0) }
        sort { $0.position < $1.position }
    }

    /// For a follower of all streams, in as few messages as possible.
    func messages(for ticket: Ticket) -> [LogMessage] {
        var messages: [LogMessage] = []
        var run: [Record] = []
        for entry in self {
            switch entry {
            case .record(let record, _): run.append(record)
            case .erasure(let erasure, _):
                if !run.isEmpty { messages.append(.records(ticket, run)) }
                run = []
                messages.append(.erased(ticket, erasure))
            }
        }
        return run.isEmpty ? messages : messages + [.records(ticket, run)]
    }
}
