import Synchronization

/// Projections in a file `projections.sqlite` beside the log's, kept by a thread of their own. A file that is damaged
/// or of another layout is dropped: its position is 0, and whoever folds the log fills it again.
public final class SQLiteProjections: Projections {
    /// Most calls that wait. Past it questions fail; changes are given up, and with them every later one, until the
    /// file is opened again and caught up from the position it reached.
    static let waitingLimit = 65_536

    private let mailbox: Mailbox<ProjectionsThread.Job>
    private let hasGivenUp: Flag
    private let worker: Mutex<Worker?>

    /// Opens the projections in `folder`, which exists, or makes them. Throws `cannotOpen`.
    public convenience init(folder: String) throws(EventLogError) {
        try self.init(folder: folder, waitingLimit: SQLiteProjections.waitingLimit)
    }

    init(folder: String, waitingLimit: Int, system: String? = nil) throws(EventLogError) {
        mailbox = Mailbox(limit: waitingLimit)
        hasGivenUp = Flag()
        let file = ProjectionsFile(path: folder + "/projections.sqlite", system: system)
        let thread = ProjectionsThread(try file.open(), of: file, mailbox: mailbox, hasGivenUp: hasGivenUp)
        worker = Mutex(Worker { thread.run() })
    }

    deinit { close() }

    public func apply(_ changes: [RowChange], reached position: Int?) {
        if mailbox.post(.apply(changes, reached: position)) == .full { hasGivenUp.raise() }
    }

    public func position(ticket: Ticket, answer: any LogInbox) {
        ask(.init(kind: .position, ticket: ticket, answer: answer))
    }

    public func players(ids: [String], ticket: Ticket, answer: any LogInbox) {
        ask(.init(kind: .players(ids: ids), ticket: ticket, answer: answer))
    }

    public func player(tokenHash: String, ticket: Ticket, answer: any LogInbox) {
        ask(.init(kind: .player(tokenHash: tokenHash), ticket: ticket, answer: answer))
    }

    public func rooms(dueFrom start: Int, before end: Int, limit: Int, ticket: Ticket, answer: any LogInbox) {
        ask(.init(kind: .dueRooms(from: start, before: end, limit: limit), ticket: ticket, answer: answer))
    }

    public func openRooms(limit: Int, ticket: Ticket, answer: any LogInbox) {
        ask(.init(kind: .publicRooms(limit: limit), ticket: ticket, answer: answer))
    }

    public func rooms(openedBy player: String, since start: Int, limit: Int, ticket: Ticket, answer: any LogInbox) {
        ask(.init(kind: .openedRooms(by: player, since: start, limit: limit), ticket: ticket, answer: answer))
    }

    public func results(_ query: ResultsQuery, ticket: Ticket, answer: any LogInbox) {
        ask(.init(kind: .results(query), ticket: ticket, answer: answer))
    }

    /// Not to be called from an inbox: it waits for the thread that delivers.
    public func close() {
        guard let worker = worker.withLock({ $0.take() }) else { return }
        mailbox.close()
        worker.join()
    }

    private func ask(_ question: ProjectionsThread.Question) {
        switch mailbox.post(.question(question)) {
        case .taken: break
        case .full: question.fail(.cannotRead(reason: "too many calls wait already"))
        case .closed: question.fail(.closed)
        }
    }
}

/// Goes up once and stays there.
final class Flag: Sendable {
    private let isUp = Atomic(false)

    var isRaised: Bool { isUp.load(ordering: .acquiring) }

    func raise() { isUp.store(true, ordering: .releasing) }
}
