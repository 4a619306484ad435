import Threads

extension Posting {
    /// Why the job was not taken, `busy` or `closed`; nil if it was.
    var refusal: EventLogError? {
        switch self {
        case .taken: nil
        case .full(let limit): .busy(waiting: limit)
        case .closed: .closed
        }
    }
}
