import CSQLite

/// Writes and reads rows of a file.
final class RowStoreThread: RowThread {
    /// Most changes kept in memory while the file takes none. Beyond it they are dropped, and come again from the
    /// position of the rows.
    static let unwrittenLimit = 65_536

    private let file: RowStoreFile
    private let status: RowStatus
    /// Nil once the rows are damaged, until the next `startWriting` creates them again.
    private var rows: StoredRows?
    private var damage = SQLiteError(code: SQLITE_OK, reason: "")
    private var unwritten = UnwrittenRows()
    /// Erased rows may still be in the write-ahead log, also at the start if a hub was killed.
    private var owesCheckpoint = true

    init(_ rows: StoredRows, of file: RowStoreFile, _ status: RowStatus) {
        (self.rows, self.file, self.status) = (rows, file, status)
    }

    /// Unwritten changes come again from the position of the rows.
    func startWriting(_ answer: RowReply) {
        unwritten.removeAll()
        do throws(EventLogError) {
            let opened = if let rows { rows } else { try file.open() }
            rows = opened
            do throws(SQLiteError) {
                let found = try opened.answer([])
                status.resume()
                answer(.success(found))
            } catch {
                put(off: [], after: error)
                throw failure(error)
            }
        } catch { answer(.failure(error)) }
    }

    func performTogether(_ jobs: [RowJob]) {
        var answers: [() -> Void] = []
        let applies = status.halt == nil
        do throws(SQLiteError) {
            guard let rows else { throw damage }
            try rows.beginTransaction()
            for job in unwritten.jobs + jobs {
                switch job {
                case .apply(let changes, let position): if applies { try rows.apply(changes, reached: position) }
                case .ask(let queries, let answer):
                    let found = try rows.answer(queries)
                    answers.append { answer(.success(found)) }
                case .note, .startWriting: break
                }
            }
        } catch {
            // First, so that answers show whether anything was dropped.
            put(off: jobs, after: error)
            // An answer that lacks the changes before it would be wrong.
            for job in jobs { job.failQuestion(failure(error)) }
            return
        }
        do throws(SQLiteError) {
            try rows?.commit()
            owesCheckpoint = owesCheckpoint || (unwritten.jobs + jobs).contains { $0.erases }
            unwritten.removeAll()
            status.recordWrite(failure: nil)
            // If that fails, as with a reader in the way, it is tried again after the next transaction.
            if owesCheckpoint, (try? rows?.checkpoint()) == true { owesCheckpoint = false }
        } catch {
            // For example, a full disk. Questions are answered with the changes in them, which are known.
            put(off: jobs, after: error)
        }
        for answer in answers { answer() }
    }

    private func put(off jobs: [RowJob], after failure: SQLiteError) {
        rows?.rollBack()
        if failure.isDamage, rows != nil {
            // Dropped now, so that it is filled from the beginning when it is opened next.
            rows = nil
            damage = failure
            file.drop()
            status.halt(.givenUp(self.failure(failure)))
        }
        for job in jobs { unwritten.add(job) }
        if unwritten.count > RowStoreThread.unwrittenLimit { status.halt(.givenUp(self.failure(failure))) }
        if status.halt != nil { unwritten.removeAll() }
        status.recordWrite(failure: unwritten.isEmpty ? nil : self.failure(failure))
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

extension RowJob {
    fileprivate var erases: Bool {
        guard case .apply(let changes, _) = self else { return false }
        return changes.contains { if case .erase = $0 { true } else { false } }
    }
}
