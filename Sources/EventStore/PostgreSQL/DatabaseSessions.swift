/// The writer's connection to the database: how it is lost and found again.
final class DatabaseSessions {
    private enum State {
        case writing(DatabaseSession)
        case down(EventLogError, retry: ContinuousClock.Instant)
    }

    private let connector: DatabaseConnector
    private let calls: LogCalls
    private let deliveries: LogDeliveries
    private let followers: DatabaseFollowerDesk
    private let claims: DatabaseClaims
    private let retries: RetryQueue
    private var state: State
    /// The run of this log is lost, for good.
    private var isFenced = false
    private var watchers: [any LogInbox] = []
    private var pause = ReconnectPause()
    private var isProbing = false

    init(
        _ connector: DatabaseConnector, _ calls: LogCalls, _ deliveries: LogDeliveries,
        _ followers: DatabaseFollowerDesk, _ claims: DatabaseClaims, _ retries: RetryQueue
    ) throws(EventLogError) {
        (self.connector, self.calls, self.deliveries) = (connector, calls, deliveries)
        (self.followers, self.claims, self.retries) = (followers, claims, retries)
        state = .writing(try connector.openSession())
    }

    var availability: Availability {
        if isFenced { return .unavailable(.fenced) }
        return switch state {
        case .writing: .available
        case .down(let error, _): .unavailable(error)
        }
    }

    var isConnected: Bool { if case .writing = state { true } else { false } }

    /// When to look for the server again; nil while connected, or while the reader looks.
    var nextProbe: ContinuousClock.Instant? { if case .down(_, let retry) = state, !isProbing { retry } else { nil } }

    func watch(_ inbox: any LogInbox) {
        watchers.append(inbox)
        deliveries.tell([inbox], availability)
    }

    /// The session to use; nil if there is none. If the server has closed it since its last use, nothing was under way
    /// on it, and it is replaced without anyone noticing.
    func usableSession() -> DatabaseSession? {
        guard case .writing(let session) = state else { return nil }
        if session.isAlive() { return session }
        do throws(EventLogError) { return try openSession() } catch {
            goDown(because: error)
            return nil
        }
    }

    /// Replaces a session that the server has ended while it was used, without anyone noticing. Followers have got
    /// everything by then, and what failed can be done again. False if the server has not ended it, or takes no other;
    /// then the caller goes down.
    func replace(_ session: DatabaseSession) -> Bool { session.isEnded && (try? openSession()) != nil }

    /// Compares followers again with a server that may have less than they have been told since. Returns the error if
    /// that fails.
    func checkFollowers() -> EventLogError? {
        guard case .writing(let session) = state else { return nil }
        do throws(EventLogError) { try followers.moveTo(session) } catch { return error }
        return nil
    }

    func goDown(because error: EventLogError) {
        guard isConnected else { return }
        calls.counters.failures.add()
        state = .down(error, retry: .now + pause.next())
        // None of these was sent, or the server has said that nothing was done.
        retries.giveUp(because: error) { !$0.isUnsure }
        tellWatchers()
        deliveries.flush()
    }

    /// Lets the reader find out whether the server answers, and waits.
    func probe() {
        guard case .down(let error, _) = state else { return }
        isProbing = calls.reader.post(.probe, isOwed: true) == .taken
        state = .down(error, retry: .now + ReconnectPause.longest)
    }

    func probeAnswered(_ problem: EventLogError?) {
        isProbing = false
        guard !isConnected else { return }
        if let problem { stayDown(because: problem) } else { reconnect() }
    }

    private func stayDown(because error: EventLogError) {
        let isNews = availability != .unavailable(error)
        state = .down(error, retry: .now + pause.next())
        if isNews { tellWatchers() }
    }

    private func reconnect() {
        do throws(EventLogError) { try openSession() } catch { return stayDown(because: error) }
        followers.attachPostponed(through: self)
        retries.nextRetry = .now
        // Attaching may have ended it again.
        if isConnected { tellWatchers() }
    }

    /// Moves to a new session. Checks followers and the run's fence before anything is written there, because it may be
    /// another server that has less.
    @discardableResult
    private func openSession() throws(EventLogError) -> DatabaseSession {
        let session = try connector.openSession()
        pause.noteConnected()
        try followers.moveTo(session)
        state = .writing(session)
        do throws(PostgreSQLError) {
            // Before watchers could hear that the log takes writes.
            if try session.isFenced() { becomeFenced() } else { try claims.claimAgain(with: session) }
        } catch { throw error.whenReading }
        return session
    }

    /// Nothing is written from here on, no matter what happens to the connection. What others write is still read.
    func becomeFenced() {
        guard !isFenced else { return }
        calls.counters.failures.add()
        deliveries.tell(watchers, .unavailable(.fenced))
        isFenced = true
        retries.giveUp(because: .fenced)
        deliveries.flush()
    }

    private func tellWatchers() { if !isFenced { deliveries.tell(watchers, availability) } }

    func shutDown() { deliveries.tell(watchers, .unavailable(.closed)) }
}

/// Appends that are tried again, in the order of their calls.
final class RetryQueue {
    var appends: [PendingAppend] = []
    var nextRetry = ContinuousClock.now
    private let deliveries: LogDeliveries

    init(_ deliveries: LogDeliveries) { self.deliveries = deliveries }

    /// Answers and removes some.
    func giveUp(because error: EventLogError, where isGivenUp: (PendingAppend) -> Bool = { _ in true }) {
        for append in appends where isGivenUp(append) { deliveries.refuse(append, error) }
        appends.removeAll(where: isGivenUp)
    }
}

extension LogDeliveries {
    /// Gives up trying it.
    func refuse(_ append: PendingAppend, _ error: EventLogError) {
        answer(append, append.isUnsure ? .outcomeUnknown : .unavailable(error))
    }
}
