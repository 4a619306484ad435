import CSQLite

/// Writes and reads rows in the order of the calls, a transaction for all that waits.
final class ProjectionsThread {
    enum Job: Sendable {
        case apply([RowChange], reached: Int?)
        case question(Question)
    }

    struct Question: Sendable {
        enum Kind: Sendable {
            case position
            case players(ids: [String])
            case player(tokenHash: String)
            case dueRooms(from: Int, before: Int, limit: Int)
            case publicRooms(limit: Int)
            case openedRooms(by: String, since: Int, limit: Int)
            case results(ResultsQuery)
        }

        let kind: Kind
        let ticket: Ticket
        let answer: any LogInbox
    }

    /// Most changes that are kept in memory while the file takes none; past it they are given up.
    static let unwrittenLimit = 65_536

    private let file: ProjectionsFile
    private let mailbox: Mailbox<Job>
    private let hasGivenUp: Flag
    /// Nil once the rows are damaged.
    private var rows: ProjectionRows?
    /// Changes that a transaction which failed should have written: they come before anything else.
    private var unwritten: [Job] = []
    private var unwrittenChanges = 0

    init(_ rows: ProjectionRows, of file: ProjectionsFile, mailbox: Mailbox<Job>, hasGivenUp: Flag) {
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
        var deliveries = Deliveries()
        do throws(SQLiteFailure) {
            guard let rows, !hasGivenUp.isRaised else {
                throw SQLiteFailure(code: SQLITE_ABORT, reason: "the projections have not kept up")
            }
            try rows.begin()
            for job in unwritten + jobs {
                switch job {
                case .apply(let changes, let position): try rows.apply(changes, reached: position)
                case .question(let question):
                    deliveries.add(try rows.answer(question), to: question.answer)
                }
            }
        } catch {
            // An answer that lacks the changes before it would be wrong.
            for case .question(let question) in jobs { question.fail(.cannotRead(reason: error.reason)) }
            return put(off: jobs, after: error)
        }
        do throws(SQLiteFailure) {
            try rows?.commit()
            let isErased = (unwritten + jobs).contains { $0.erasesPlayer }
            unwritten = []
            unwrittenChanges = 0
            // The name is to leave the write-ahead log too; where that fails, a later checkpoint takes it out.
            if isErased { try? rows?.checkpoint() }
        } catch {
            // A full disk, say. What was asked has been answered with the changes in it: who resumes is known.
            put(off: jobs, after: error)
        }
        deliveries.flush()
    }

    /// Keeps the changes for later.
    private func put(off jobs: [Job], after failure: SQLiteFailure) {
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
        if unwrittenChanges > ProjectionsThread.unwrittenLimit { hasGivenUp.raise() }
        if hasGivenUp.isRaised { (unwritten, unwrittenChanges) = ([], 0) }
    }
}

extension ProjectionsThread.Job {
    fileprivate var erasesPlayer: Bool {
        guard case .apply(let changes, _) = self else { return false }
        return changes.contains { if case .playerErased = $0 { true } else { false } }
    }
}

extension ProjectionsThread.Question {
    /// Answers with what went wrong, from whichever thread knows.
    func fail(_ error: EventLogError) {
        switch kind {
        case .position: answer.deliver([.reached(ticket, .failure(error))])
        case .players, .player: answer.deliver([.players(ticket, .failure(error))])
        case .dueRooms, .publicRooms, .openedRooms: answer.deliver([.rooms(ticket, .failure(error))])
        case .results: answer.deliver([.results(ticket, .failure(error))])
        }
    }
}
