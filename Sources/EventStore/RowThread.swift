import Threads

/// A call on a row store.
enum RowJob: Sendable {
    case apply([RowChange], reached: Int?)
    /// A row of a table with versions, which may be written no matter who else writes. `connection` is the number of
    /// connections, as `RowStatus` counts them, when it was noted.
    case note([RowValue], RowTable, connection: Int)
    case ask([RowQuery], RowReply)
    /// Continues from the position of the rows, which another process may have written.
    case startWriting(RowReply)

    var applies: Bool { if case .apply = self { true } else { false } }
    var notes: Bool { if case .note = self { true } else { false } }

    /// For an answer that would lack the changes before it.
    func failQuestion(_ error: EventLogError) { if case .ask(_, let answer) = self { answer(.failure(error)) } }
}

/// Writes and reads rows in the order of calls, with one transaction for all that wait.
protocol RowThread: StoreThread where Job == RowJob {
    func startWriting(_ answer: RowReply)
    /// None of the jobs is `startWriting`.
    func performTogether(_ jobs: [RowJob])
}

extension RowThread {
    func runJobs(_ jobs: [RowJob]) {
        var waiting: [RowJob] = []
        for job in jobs {
            guard case .startWriting(let answer) = job else {
                waiting.append(job)
                continue
            }
            if !waiting.isEmpty { performTogether(waiting) }
            waiting = []
            startWriting(answer)
        }
        if !waiting.isEmpty { performTogether(waiting) }
    }
}

/// Changes and notes of a failed transaction. They are written before anything else.
struct UnwrittenRows {
    private(set) var jobs: [RowJob] = []
    private(set) var count = 0

    var isEmpty: Bool { jobs.isEmpty }

    mutating func add(_ job: RowJob) {
        switch job {
        case .apply(let changes, _): count += max(1, changes.count)
        case .note: count += 1
        case .ask, .startWriting: return
        }
        jobs.append(job)
    }

    mutating func removeAll() { (jobs, count) = ([], 0) }

    mutating func removeChanges() {
        jobs.removeAll { $0.applies }
        count = jobs.count
    }
}

/// A row store whose thread answers its calls.
protocol ThreadedRowStore: RowStore {
    var mailbox: Mailbox<RowJob> { get }
    var status: RowStatus { get }
    var worker: Worker<RowJob> { get }
}

extension ThreadedRowStore {
    public func apply(_ changes: [RowChange], reached position: Int?) {
        for case .put(let row, let table) in changes { table.check(row) }
        let posting = mailbox.post(.apply(changes, reached: position))
        if case .full(let limit) = posting { status.halt(.givenUp(.busy(waiting: limit))) }
    }

    public func ask(_ queries: [RowQuery], answer: @escaping RowReply) {
        if let error = mailbox.post(.ask(queries, answer)).refusal { answer(.failure(error)) }
    }

    public func startWriting(answer: @escaping RowReply) {
        if let error = mailbox.post(.startWriting(answer)).refusal { answer(.failure(error)) }
    }

    public var halt: RowHalt? { status.halt }
    public var writeFailure: EventLogError? { status.writeFailure }

    /// Must not be called from an answer, because it waits for the thread that answers.
    public func close() { worker.close() }
}
