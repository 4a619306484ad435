/// Writes and reads rows of a database.
final class DatabaseRowThread: RowThread {
    /// How often a transaction is tried that conflicts with others. A noted row may soon be written by the process that
    /// continues the rows too.
    static let attemptLimit = 10

    private let connector: DatabaseConnector
    private let layout: RowLayout
    private let status: RowStatus
    private let unwrittenLimit: Int
    /// Nil after a failure, until a later job opens it again.
    private var rows: DatabaseRows?
    /// Whether the server has found the tables damaged. The next `startWriting` creates them again.
    private var areDamaged = false
    /// The position of the rows, and the number of takeovers. If either has changed, another node has taken over the
    /// rows.
    private var reached: Int
    private var beginnings: Int
    /// The position after a transaction of unknown outcome.
    private var maybeReached: Int?
    private var unwritten = UnwrittenRows()
    private var retry = ContinuousClock.now
    private var pause = ReconnectPause()
    private var problem = EventLogError.closed

    init(
        _ connector: DatabaseConnector, _ layout: RowLayout, _ status: RowStatus, unwrittenLimit: Int
    ) throws(EventLogError) {
        (self.connector, self.layout) = (connector, layout)
        (self.status, self.unwrittenLimit) = (status, unwrittenLimit)
        let opened = try DatabaseRows(connector, layout, .made)
        do throws(PostgreSQLError) {
            let progress = try opened.progress()
            (reached, beginnings) = (progress.reached, progress.beginnings)
        } catch { throw .cannotOpen(path: connector.address.shown, reason: error.reason) }
        rows = opened
    }

    /// Unwritten changes may be in the rows after all, and come again from the position of the rows.
    func startWriting(_ answer: RowReply) {
        unwritten.removeChanges()
        maybeReached = nil
        do throws(EventLogError) {
            if areDamaged { try makeAgain() }
            let rows = try opened()
            do throws(PostgreSQLError) {
                let progress = try rows.takeOver()
                (reached, beginnings) = (progress.reached, progress.beginnings)
            } catch { throw error.whenUsingRows }
            status.resume()
            answer(.success(RowAnswer(rows: [], position: reached)))
        } catch { answer(.failure(error)) }
    }

    /// Replaces damaged tables by empty ones. All rows follow from the log.
    private func makeAgain() throws(EventLogError) {
        rows = nil
        rows = try DatabaseRows(connector, layout, .remade)
        areDamaged = false
        status.connections.add()
    }

    func performTogether(_ jobs: [RowJob]) {
        var jobs = jobs
        do throws(EventLogError) {
            let rows = try opened()
            jobs.removeAll(where: mayBeLost)
            let answers = try written(jobs, by: rows)
            unwritten.removeAll()
            status.recordWrite(failure: nil)
            for answer in answers { answer() }
        } catch {
            // First, so that answers show whether anything was dropped.
            put(off: jobs, after: error)
            // An answer that lacks the changes before it would be wrong.
            for job in jobs { job.failQuestion(error) }
        }
    }

    /// Writes what waits and the jobs, and returns the answers to give after that.
    private func written(_ jobs: [RowJob], by rows: DatabaseRows) throws(EventLogError) -> [() -> Void] {
        var attempt = 1
        while true {
            do throws(PostgreSQLError) {
                return try transaction(of: unwritten.jobs + jobs, in: rows)
            } catch {
                rows.rollBack()
                if error.state == DatabaseRows.overtaken, status.halt == nil {
                    status.halt(.overtaken)
                    unwritten.removeChanges()
                } else if error.isConflict, attempt < DatabaseRowThread.attemptLimit {
                    attempt += 1
                } else {
                    if error.isDamage {
                        areDamaged = true
                        giveUpAll(.givenUp(error.whenUsingRows))
                    }
                    throw error.whenUsingRows
                }
            }
        }
    }

    private func transaction(of jobs: [RowJob], in rows: DatabaseRows) throws(PostgreSQLError) -> [() -> Void] {
        let applies = status.halt == nil && jobs.contains { $0.applies }
        if !applies, jobs.contains(where: \.notes) {
            // A node of another release may have created the tables again, and these rows do not fit them.
            _ = try rows.progress()
            // One by one, so that this node and another writer never wait for each other. The server would notice such
            // a deadlock only after a second.
            for case .note(let row, let table, _) in jobs { try rows.apply([.put(row, into: table)]) }
        }
        try rows.beginTransaction()
        if applies {
            // If an earlier attempt was written unnoticed, writing it again does no harm. It cannot be written after
            // this one, since it had a claim too.
            reached = try rows.claim(beginnings, at: [reached, maybeReached ?? reached])
            maybeReached = nil
        }
        var next = reached
        var answers: [() -> Void] = []
        for job in jobs {
            switch job {
            case .apply(let changes, let position) where applies:
                try rows.apply(changes)
                if let position {
                    try rows.reach(position)
                    next = position
                }
            case .note(let row, let table, _) where applies: try rows.apply([.put(row, into: table)])
            case .ask(let queries, let answer):
                let found = try rows.answer(queries)
                answers.append { answer(.success(found)) }
            case .apply, .note, .startWriting: break
            }
        }
        if applies { maybeReached = next }
        try rows.commit()
        if applies { (reached, maybeReached) = (next, nil) }
        return answers
    }

    private func opened() throws(EventLogError) -> DatabaseRows {
        if let rows, rows.isAlive() { return rows }
        guard retry <= .now else { throw problem }
        let opened = try DatabaseRows(connector, layout, .found)
        rows = opened
        pause.noteConnected()
        status.connections.add()
        giveUpAll(.overtaken)
        return opened
    }

    /// Keeps the changes for later.
    private func put(off jobs: [RowJob], after error: EventLogError) {
        if rows?.isAlive() == false { rows = nil }
        guard rows != nil else {
            if retry <= .now {
                retry = .now + pause.next()
                problem = error
            }
            return giveUpAll(.overtaken)
        }
        for job in jobs where !job.applies || status.halt == nil { unwritten.add(job) }
        status.recordWrite(failure: unwritten.isEmpty ? nil : error)
        if unwritten.count > unwrittenLimit { giveUpAll(.givenUp(error)) }
    }

    /// A database that has failed over may have lost what the changes and notes come from. The next `startWriting`
    /// learns the position of the rows and writes from there all that follows from records. Notes without a record,
    /// such as those of snapshots, are gone and later ones replace them.
    private func giveUpAll(_ halt: RowHalt) {
        status.halt(halt)
        status.recordWrite(failure: nil)
        unwritten.removeAll()
    }

    /// Whether it was noted on an earlier connection; see `giveUpAll`.
    private func mayBeLost(_ job: RowJob) -> Bool {
        if case .note(_, _, let connection) = job { connection != status.connections.value } else { false }
    }
}

extension PostgreSQLError {
    /// Another transaction has changed what this one saw, or waits for it (serialization_failure, deadlock_detected). A
    /// second attempt sees the change.
    fileprivate var isConflict: Bool { ["40001", "40P01"].contains(state) }

    /// A table or its index does not hold what was written (data_corrupted, index_corrupted).
    fileprivate var isDamage: Bool { ["XX001", "XX002"].contains(state) }

    fileprivate var whenUsingRows: EventLogError { .rowsFailed(reason: reason) }
}
