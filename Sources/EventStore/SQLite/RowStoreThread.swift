import CSQLite

/// Writes and reads rows in the order of the calls, a transaction for all that waits.
final class RowStoreThread {
    enum Job: Sendable {
        case apply([RowChange], reached: Int?)
        case ask([RowQuery], @Sendable (Result<RowAnswer, EventLogError>) -> Void)
    }

    /// Most changes that are kept in memory while the file takes none; past it they are given up.
    static let unwrittenLimit = 65_536

    private let file: RowStoreFile
    private let mailbox: Mailbox<Job>
    private let hasGivenUp: Flag
    /// Nil once the rows are damaged.
    private var rows: StoredRows?
    /// Changes that a transaction which failed should have written: they come before anything else.
    private var unwritten: [Job] = []
    private var unwrittenChanges = 0
    /// What was erased may still be in the write-ahead log: at the start, too, of a hub that was killed.
    private var owesCheckpoint = true

    init(_ rows: StoredRows, of file: RowStoreFile, mailbox: Mailbox<Job>, hasGivenUp: Flag) {
        self.file = file
        self.mailbox = mailbox
        self.hasGivenUp = hasGivenUp
        self.rows = rows
    }

    /// Runs until the mailbox is closed and empty.
    func run() {
        while let jobs = mailbox.takeAll() { perform(jobs) }
    }

    private func perform(_ jobs: [Job]) {
        var answers: [() -> Void] = []
        do throws(SQLiteError) {
            guard let rows, !hasGivenUp.isRaised else {
                throw SQLiteError(code: SQLITE_ABORT, reason: "the rows have not kept up")
            }
            try rows.begin()
            for job in unwritten + jobs {
                switch job {
                case .apply(let changes, let position): try rows.apply(changes, reached: position)
                case .ask(let queries, let answer):
                    let found = try rows.answer(queries)
                    answers.append { answer(.success(found)) }
                }
            }
        } catch {
            // An answer that lacks the changes before it would be wrong.
            for case .ask(_, let answer) in jobs { answer(.failure(.cannotRead(reason: error.reason))) }
            return put(off: jobs, after: error)
        }
        do throws(SQLiteError) {
            try rows?.commit()
            owesCheckpoint = owesCheckpoint || (unwritten + jobs).contains { $0.erases }
            unwritten = []
            unwrittenChanges = 0
            // Where that fails, as with a reader in the way, it is tried again after the next transaction.
            if owesCheckpoint, (try? rows?.checkpoint()) == true { owesCheckpoint = false }
        } catch {
            // A full disk, say. What was asked is answered with the changes in it: who resumes is known.
            put(off: jobs, after: error)
        }
        for answer in answers { answer() }
    }

    /// Keeps the changes for later.
    private func put(off jobs: [Job], after failure: SQLiteError) {
        rows?.rollBack()
        for job in jobs {
            guard case .apply(let changes, _) = job else { continue }
            unwritten.append(job)
            unwrittenChanges += max(1, changes.count)
        }
        if failure.primaryCode == SQLITE_CORRUPT || failure.primaryCode == SQLITE_NOTADB {
            // Gone now, so that it is filled again from the beginning when it is opened next.
            rows = nil
            file.drop()
            hasGivenUp.raise()
        }
        if unwrittenChanges > RowStoreThread.unwrittenLimit { hasGivenUp.raise() }
        if hasGivenUp.isRaised { (unwritten, unwrittenChanges) = ([], 0) }
    }
}

extension RowStoreThread.Job {
    fileprivate var erases: Bool {
        guard case .apply(let changes, _) = self else { return false }
        return changes.contains { if case .erase = $0 { true } else { false } }
    }
}
