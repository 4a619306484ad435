import CSQLite
import Threads

/// Writes and reads rows in the order of calls, with one transaction for all that wait.
final class RowStoreThread {
    enum Job: Sendable {
        case apply([RowChange], reached: Int?)
        case ask([RowQuery], @Sendable (Result<RowAnswer, EventLogError>) -> Void)
        /// Continues from the position of the rows.
        case begin(@Sendable (Result<RowAnswer, EventLogError>) -> Void)
    }

    /// Most changes kept in memory while the file takes none. Beyond it they are dropped, and come again from the
    /// position of the rows.
    static let unwrittenLimit = 65_536

    private let file: RowStoreFile
    private let mailbox: Mailbox<Job>
    private let status: RowStatus
    /// Nil once the rows are damaged, until the next `begin` creates them again.
    private var rows: StoredRows?
    private var damage = SQLiteError(code: SQLITE_OK, reason: "")
    /// Changes of a failed transaction. They are written before anything else.
    private var unwritten: [Job] = []
    private var unwrittenChanges = 0
    /// Erased rows may still be in the write-ahead log, also at the start if a hub was killed.
    private var owesCheckpoint = true

    init(_ rows: StoredRows, of file: RowStoreFile, mailbox: Mailbox<Job>, status: RowStatus) {
        self.file = file
        self.mailbox = mailbox
        self.status = status
        self.rows = rows
    }

    func run() {
        while let jobs = mailbox.takeAll() {
            var waiting: [Job] = []
            for job in jobs {
                guard case .begin(let answer) = job else {
                    waiting.append(job)
                    continue
                }
                if !waiting.isEmpty { perform(waiting) }
                waiting = []
                begin(answer)
            }
            if !waiting.isEmpty { perform(waiting) }
        }
    }

    /// Unwritten changes come again from the position of the rows.
    private func begin(_ answer: (Result<RowAnswer, EventLogError>) -> Void) {
        (unwritten, unwrittenChanges) = ([], 0)
        do throws(EventLogError) {
            let opened = if let rows { rows } else { try file.open() }
            rows = opened
            do throws(SQLiteError) {
                let found = try opened.answer([])
                status.begin()
                answer(.success(found))
            } catch {
                put(off: [], after: error)
                throw failure(error)
            }
        } catch { answer(.failure(error)) }
    }

    private func perform(_ jobs: [Job]) {
        var answers: [() -> Void] = []
        let applies = status.halt == nil
        do throws(SQLiteError) {
            guard let rows else { throw damage }
            try rows.begin()
            for job in unwritten + jobs {
                switch job {
                case .apply(let changes, let position): if applies { try rows.apply(changes, reached: position) }
                case .ask(let queries, let answer):
                    let found = try rows.answer(queries)
                    answers.append { answer(.success(found)) }
                case .begin: break
                }
            }
        } catch {
            // First, so that answers show whether anything was dropped.
            put(off: jobs, after: error)
            // An answer that lacks the changes before it would be wrong.
            for case .ask(_, let answer) in jobs { answer(.failure(failure(error))) }
            return
        }
        do throws(SQLiteError) {
            try rows?.commit()
            owesCheckpoint = owesCheckpoint || (unwritten + jobs).contains { $0.erases }
            (unwritten, unwrittenChanges) = ([], 0)
            status.noteWriting(failed: nil)
            // If that fails, as with a reader in the way, it is tried again after the next transaction.
            if owesCheckpoint, (try? rows?.checkpoint()) == true { owesCheckpoint = false }
        } catch {
            // For example, a full disk. Questions are answered with the changes in them, which are known.
            put(off: jobs, after: error)
        }
        for answer in answers { answer() }
    }

    private func put(off jobs: [Job], after failure: SQLiteError) {
        rows?.rollBack()
        if failure.isDamage, rows != nil {
            // Dropped now, so that it is filled from the beginning when it is opened next.
            rows = nil
            damage = failure
            file.drop()
            status.halt(.givenUp(self.failure(failure)))
        }
        for job in jobs {
            guard case .apply(let changes, _) = job else { continue }
            unwritten.append(job)
            unwrittenChanges += max(1, changes.count)
        }
        if unwrittenChanges > RowStoreThread.unwrittenLimit { status.halt(.givenUp(self.failure(failure))) }
        if status.halt != nil { (unwritten, unwrittenChanges) = ([], 0) }
        status.noteWriting(failed: unwritten.isEmpty ? nil : self.failure(failure))
    }

    private func failure(_ error: SQLiteError) -> EventLogError { .rowsFailed(reason: "\(file.path): \(error.reason)") }
}

extension SQLiteError {
    /// Whether waiting is useless, because the file's content is not what was written or cannot be read. Damaged rows
    /// may also seem to break a rule of their table.
    fileprivate var isDamage: Bool {
        switch primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_CONSTRAINT, SQLITE_MISMATCH: true
        // SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS.
        case SQLITE_IOERR: [1, 2, 33].contains(code >> 8)
        default: false
        }
    }
}

extension RowStoreThread.Job {
    fileprivate var erases: Bool {
        guard case .apply(let changes, _) = self else { return false }
        return changes.contains { if case .erase = $0 { true } else { false } }
    }
}
