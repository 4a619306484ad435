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

    public init(position: Int, head: Digest) {
        self.position = position
        self.head = head
    }
}

/// A part of the log for a follower of all streams: records and erasures in the order of their positions.
struct AllStreamsSlice: Sendable {
    private(set) var messages: [LogMessage] = []
    /// The position of the last record or erasure; nil if there is none.
    private(set) var reached: Int?
    private(set) var count = 0

    /// Takes the first `limit` of both lists, which are in order.
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
