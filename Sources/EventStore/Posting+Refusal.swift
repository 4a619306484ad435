import Threads

extension Posting {
    /// Why the job is not done: `busy` or `closed`; nil if it was taken.
    var refusal: EventLogError? {
        switch self {
        case .taken: nil
        case .full(let limit): .busy(waiting: limit)
        case .closed: .closed
        }
    }
}
