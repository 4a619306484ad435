import Cryptography
import Records

/// An erasable stream was forgotten: all that is left of it.
public struct Erasure: Sendable, Equatable {
    /// Among those of the records of all streams: what has a lower one was there before, what has a higher one came
    /// after.
    public let position: Int
    /// The head that the stream had. Whoever kept something of the stream knows it by this; to everybody else it says
    /// nothing, where a hash of the name would be found by trying names.
    public let head: Digest

    public init(position: Int, head: Digest) {
        self.position = position
        self.head = head
    }
}

/// What whoever follows all is told of a part of the log: its records and erasures in the order of their positions.
struct AllStreamsSlice: Sendable {
    private(set) var messages: [LogMessage] = []
    /// The position of the last record or erasure in it; nil if there is none.
    private(set) var reached: Int?
    private(set) var count = 0

    /// The first `limit` of what is given. Both are in order.
    init(_ records: [Record], _ erasures: [Erasure], limit: Int, for ticket: Ticket) {
        var records = records[...]
        for erasure in erasures where count < limit {
            add(records.prefix { $0.position < erasure.position }.prefix(limit - count), ticket)
            records = records.drop { $0.position < erasure.position }
            guard count < limit else { return }
            messages.append(.erased(ticket, erasure))
            reached = erasure.position
            count += 1
        }
        add(records.prefix(limit - count), ticket)
    }

    private mutating func add(_ records: ArraySlice<Record>, _ ticket: Ticket) {
        guard let last = records.last else { return }
        messages.append(.records(ticket, Array(records)))
        reached = last.position
        count += records.count
    }
}
