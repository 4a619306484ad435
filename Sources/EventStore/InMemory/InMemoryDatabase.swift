import Cryptography
import Records

/// A ledger with sessions and transactions, as in PostgreSQL: a transaction claims its streams and draws its positions
/// when it begins, and is visible once it commits. So positions may appear out of order, and those of a rolled-back
/// transaction never appear.
struct InMemoryDatabase: Sendable {
    var ledger = Ledger()
    var leases = InMemoryLeases()
    private(set) var claims = InMemoryClaims()
    private var silences = InMemorySilences()
    /// All committed changes in the order of commits, which is not that of positions.
    private(set) var written: [StreamChange] = []
    private var sessions: Set<Int> = []
    private var transactions: [Int: Transaction] = [:]
    /// Open transactions whose session is lost.
    private(set) var abandoned: Set<Int> = []
    /// The newest session or transaction. Numbers are not reused.
    private var lastNumber = 0

    private struct Transaction: Sendable {
        let streams: [StreamName]
        let changes: [StreamChange]
        /// The run of the log that opened it.
        let run: String?
        let fencing: Fencing?
    }

    enum Beginning: Sendable {
        case begun(Int)
        case refused(AppendResult)
        /// The commit may be written as things are, but another open transaction has taken this stream or run, and its
        /// outcome is unknown.
        case claimed(String)
        /// The requesting run is fenced.
        case fenced
    }

    init() {}

    /// Continues with the content of `replica`, without sessions or transactions.
    init(replacing other: InMemoryDatabase, with replica: InMemoryDatabase) {
        (ledger, leases, written, lastNumber) = (replica.ledger, replica.leases, replica.written, other.lastNumber)
        (claims, silences) = (replica.claims, replica.silences)
        claims.changes = other.claims.changes + 1
        leases.loseUnlogged()
    }

    // MARK: Sessions

    /// If there is no other session, drops what a crash has torn.
    mutating func connect() -> Int {
        if sessions.isEmpty { ledger.recover() }
        lastNumber += 1
        sessions.insert(lastNumber)
        return lastNumber
    }

    mutating func disconnect(_ session: Int) { sessions.remove(session) }

    func isConnected(_ session: Int) -> Bool { sessions.contains(session) }

    /// Writes a part of `commit`, as a crash may do to a disk. A database with other sessions loses all of it.
    mutating func tear(_ commit: Commit, by session: Int, with hasher: SHA256) {
        if sessions.isSubset(of: [session]) { ledger.tear(commit, with: hasher) }
    }

    // MARK: Transactions

    var open: Set<Int> { Set(transactions.keys) }

    /// For a log of this run, or of none. Never waits for another transaction.
    mutating func beginTransaction(for commit: Commit, by run: String?, with hasher: SHA256) -> Beginning {
        if let run, leases.isFenced(run) { return .fenced }
        if let claimed = claimedRun(for: commit, by: run) { return .claimed(claimed) }
        if let refusal = refusal(of: commit, by: run) { return .refused(refusal) }
        let streams = commit.parts.map(\.stream)
        if let taken = streams.first(where: { isInTransaction($0) }) { return .claimed(taken.shownInLogs) }
        lastNumber += 1
        transactions[lastNumber] = Transaction(
            streams: streams, changes: ledger.draw(commit, with: hasher), run: run, fencing: commit.fencing)
        return .begun(lastNumber)
    }

    private func refusal(of commit: Commit, by run: String?) -> AppendResult? {
        let refusal = ledger.refusal(of: commit)
        if case .repeated = refusal { return refusal }
        if let taken = commit.parts.first(where: { !claims.allows(run, in: $0.stream) }) {
            return .claimed(taken.stream)
        }
        if refusal == nil, let fencing = commit.fencing, leases.hasRenewed(since: fencing) { return .renewed }
        return refusal
    }

    /// Transactions of one run may run side by side, but one that fences the run excludes them all.
    private func claimedRun(for commit: Commit, by run: String?) -> String? {
        if let run, transactions.values.contains(where: { $0.fencing?.run == run }) { return run }
        guard let fenced = commit.fencing?.run else { return nil }
        return transactions.values.contains { $0.run == fenced || $0.fencing?.run == fenced } ? fenced : nil
    }

    private func isInTransaction(_ stream: StreamName) -> Bool {
        transactions.values.contains { $0.streams.contains(stream) }
    }

    // MARK: Leases

    /// Does nothing for a fenced run.
    mutating func renew(
        _ run: String, _ note: [UInt8], _ presence: PresenceReport, _ report: SilenceReport, at time: Int
    ) {
        guard !leases.isFenced(run) else { return }
        leases.renew(run, note, presence)
        if ledger.hasReached(report.end, in: .hub) { silences.delete(report.recorded) }
        if report.isServing { silences.leaseRenewed(at: time) }
    }

    /// The answer to `run`, which has sent this report; nil if it only reads.
    func renewal(of run: String, at time: Int, behind presence: PresenceReport?) -> LeaseRenewal {
        leases.renewal(
            of: run, at: time, behind: presence, saying: silences.oldest, hubVersion: ledger.end(of: .hub).version)
    }

    // MARK: Claims

    /// Done at once, since no transaction stays open on the stream for long.
    mutating func claim(_ stream: StreamName, by run: String) -> Claim {
        claims.claim(stream, by: run, endingAt: ledger.end(of: stream), leases)
    }

    mutating func release(_ stream: StreamName, by run: String, owed: Int?, at time: Int) {
        claims.release(stream, by: run, owed: owed, at: time)
    }

    /// Returns what it changed; nil if the transaction no longer exists. `judging`: whether the run that holds the
    /// claims wrote it, so that nothing is owed in these streams now.
    mutating func commit(_ number: Int, judging: Bool = true) -> [StreamChange]? {
        guard let transaction = removeTransaction(number) else { return nil }
        ledger.write(transaction.changes)
        written += transaction.changes
        if judging { for stream in transaction.streams { claims.appended(to: stream) } }
        if let fencing = transaction.fencing { leases.fence(fencing) }
        return transaction.changes
    }

    /// Leaves nothing but the positions that it used up.
    mutating func rollBack(_ number: Int) { _ = removeTransaction(number) }

    /// Leaves it open although no one will end it.
    mutating func abandon(_ number: Int) { if transactions[number] != nil { abandoned.insert(number) } }

    private mutating func removeTransaction(_ number: Int) -> Transaction? {
        abandoned.remove(number)
        return transactions.removeValue(forKey: number)
    }
}

/// The position up to which a log has seen everything that can still appear. It ends at the first gap, since a
/// transaction that drew earlier may commit later. A gap is passed once all transactions have ended that were open when
/// it was seen.
struct Horizon: Sendable {
    private(set) var position = 0
    private var awaited: (transactions: Set<Int>, upTo: Int)?

    mutating func look(at database: InMemoryDatabase) -> Int {
        let open = database.open
        guard !open.isEmpty else {
            (position, awaited) = (database.ledger.lastPosition, nil)
            return position
        }
        if let awaited, awaited.transactions.isDisjoint(with: open) {
            position = max(position, awaited.upTo)
            self.awaited = nil
        }
        position = database.ledger.unbrokenEnd(after: position)
        let last = database.ledger.lastThere
        if awaited == nil, position < last { awaited = (open, upTo: last) }
        return position
    }
}
