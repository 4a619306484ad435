import Records
import Threads

/// Writes appends, answers them and delivers what was written.
///
/// It appends commits of unknown outcome again under their ids: if they are in the log, they are found.
final class DatabaseAppends {
    private let sessions: DatabaseSessions
    private let followers: DatabaseFollowerDesk
    private let retries: RetryQueue
    private let deliveries: LogDeliveries
    private let counters: SharedLogCounters
    private let timing: DatabaseWriterThread.Timing

    init(
        _ sessions: DatabaseSessions, _ followers: DatabaseFollowerDesk, _ retries: RetryQueue,
        _ deliveries: LogDeliveries, _ counters: SharedLogCounters, _ timing: DatabaseWriterThread.Timing
    ) {
        (self.sessions, self.followers, self.retries) = (sessions, followers, retries)
        (self.deliveries, self.counters, self.timing) = (deliveries, counters, timing)
    }

    /// Empties `appends`.
    func write(_ appends: inout [PendingAppend]) {
        guard !appends.isEmpty else { return }
        counters.underWay.set(appends.count)
        write(appends)
        counters.underWay.set(0)
        appends.removeAll(keepingCapacity: true)
        deliveries.flush()
    }

    /// When to retry; nil if nothing waits.
    var nextRetry: ContinuousClock.Instant? { retries.appends.isEmpty ? nil : retries.nextRetry }

    func retry(at now: ContinuousClock.Instant) {
        retries.nextRetry = now + timing.heldRetry
        for late in retries.appends where late.isLate(at: now) { deliveries.refuse(late, held(late.commit)) }
        retries.appends.removeAll { $0.isLate(at: now) }
        guard sessions.isConnected else { return }
        let all = retries.appends
        retries.appends = []
        for var batch in all.inTransactions { write(&batch) }
    }

    private func held(_ commit: Commit) -> EventLogError {
        let streams = commit.parts.map(\.stream.shownInLogs).joined(separator: ", ")
        let run = commit.fencing.map { ", or one of run \($0.run) has not ended," } ?? ""
        return .cannotWrite(
            reason: "another node's transaction has not released \(streams)\(run) for \(timing.retryLimit)")
    }

    private func write(_ appends: [PendingAppend]) {
        for part in appends.split({ $0.commit.fencing != nil }) {
            let batch = holdingBackBusy(part)
            if batch.isEmpty { continue }
            // First, because a session found closed is replaced, and that may show that the run was lost.
            let session = sessions.usableSession()
            if case .unavailable(let error) = sessions.availability {
                for append in batch { deliveries.refuse(append, error) }
            } else if let session {
                write(batch, with: session)
            }
        }
    }

    /// Those that can be written. An append waits if it shares a stream with one that is being retried.
    private func holdingBackBusy(_ appends: [PendingAppend]) -> [PendingAppend] {
        var busy = Set(retries.appends.flatMap { $0.commit.parts.map(\.stream) })
        var free: [PendingAppend] = []
        free.reserveCapacity(appends.count)
        for append in appends {
            if !busy.isEmpty, append.commit.parts.contains(where: { busy.contains($0.stream) }) {
                busy.formUnion(append.commit.parts.map(\.stream))
                retries.appends.append(append)
            } else {
                free.append(append)
            }
        }
        return free
    }

    private func write(_ appends: [PendingAppend], with session: DatabaseSession) {
        let begun = SteadyClock.now()
        do throws(DatabaseSession.Failure) {
            let judgements =
                if let fencing = appends[0].commit.fencing {
                    [try session.write(appends[0].commit, fencing: fencing)]
                } else {
                    try session.write(appends.map(\.commit))
                }
            tell(appends, judgements, with: session, written: begun..<SteadyClock.now())
        } catch {
            handle(error, of: appends, sentThrough: session)
        }
    }

    private func handle(
        _ failure: DatabaseSession.Failure, of appends: [PendingAppend], sentThrough session: DatabaseSession
    ) {
        let error = EventLogError.cannotWrite(reason: failure.error.reason)
        if case .unknown = failure {
            // From when it was first sent, not from when it was handed over: the time it takes to find out.
            let deadline = ContinuousClock.now + timing.retryLimit
            var unsure = appends
            for index in unsure.indices where !unsure[index].isUnsure {
                (unsure[index].isUnsure, unsure[index].deadline) = (true, deadline)
            }
            if repeatAtOnce(unsure, insteadOf: session) { return }
            retries.appends = unsure + retries.appends
            return sessions.goDown(because: error)
        }
        if failure.error.isConnectionLost, repeatAtOnce(appends, insteadOf: session) { return }
        if failure.error.isFenced {
            retries.appends = appends + retries.appends
            return sessions.becomeFenced()
        }
        if failure.error.isHeld {
            retries.appends = appends + retries.appends
            retries.nextRetry = .now + timing.heldRetry
            return
        }
        if failure.error.isConnectionLost || failure.error.isAboutTheServer {
            // For appends whose outcome is still unknown, the answer must not be that nothing was written.
            retries.appends = appends.filter(\.isUnsure) + retries.appends
            for append in appends where !append.isUnsure { deliveries.refuse(append, error) }
            return sessions.goDown(because: error)
        }
        // One of them is at fault.
        if appends.count == 1 { return deliveries.refuse(appends[0], error) }
        for append in appends { write([append]) }
    }

    /// Sends them again through another session, if the server has ended this one. Only once, because an append may
    /// itself be why its session ended.
    private func repeatAtOnce(_ appends: [PendingAppend], insteadOf session: DatabaseSession) -> Bool {
        guard !appends.contains(where: \.isRepeated), sessions.replace(session) else { return false }
        var again = appends
        for index in again.indices { again[index].isRepeated = true }
        retries.appends = again + retries.appends
        retries.nextRetry = .now
        return true
    }

    /// Tells everyone what is durable, and answers.
    private func tell(
        _ appends: [PendingAppend], _ judgements: [DatabaseSession.Judgement], with session: DatabaseSession,
        written span: Range<Nanoseconds>
    ) {
        var results = zip(appends, judgements).map { AppendedCommit($0, $1) }
        postponeWhatWaits(in: &results)
        // What others wrote comes before an answer that follows from it.
        var problem = followers.refresh(streamsToRead(results), with: session)
        let isReplaced = problem != nil && sessions.replace(session)
        if isReplaced { problem = nil }
        var records = 0
        for result in results {
            for (part, (id, change)) in zip(result.append.commit.parts, result.changes) {
                records += change.records?.count ?? 0
                followers.tell(change, of: id, behind: part.expected)
            }
            answer(result, problem)
            counters.appends.add(span.upperBound - result.append.handedOver)
        }
        counters.records.add(records)
        if results.contains(where: { !$0.changes.isEmpty }) { counters.syncs.add(span.count) }
        if isReplaced { problem = sessions.checkFollowers() }
        if let problem { sessions.goDown(because: problem) }
    }

    /// An append that does not fit may fit once an earlier one has been written that another transaction holds up.
    private func postponeWhatWaits(in results: inout [AppendedCommit]) {
        var busy: Set<StreamName> = []
        for index in results.indices {
            let streams = results[index].append.commit.parts.map(\.stream)
            if case .conflict = results[index].answer, streams.contains(where: busy.contains) {
                results[index].answer = nil
            }
            if results[index].answer == nil { busy.formUnion(streams) }
        }
    }

    private func answer(_ result: AppendedCommit, _ problem: EventLogError?) {
        guard var answer = result.answer else {
            retries.appends.append(result.append)
            return retries.nextRetry = .now + timing.heldRetry
        }
        switch answer {
        // The followers lack the records before the answer.
        case .appended where problem != nil && result.isFollowed(in: followers.followed): answer = .outcomeUnknown
        case .conflict, .repeated:
            if case .conflict = answer { counters.conflicts.add() }
            if let problem { answer = .unavailable(problem) }
        default: break
        }
        deliveries.answer(result.append, answer)
    }

    /// Streams whose followers lack something that others wrote before these commits.
    private func streamsToRead(_ results: [AppendedCommit]) -> Set<StreamName> {
        let states = followers.followed.states
        var unclear: Set<StreamName> = []
        var known: [StreamName: FollowedStreams.State] = [:]
        for result in results {
            if result.changes.isEmpty, result.answer != nil {
                unclear.formUnion(result.append.commit.parts.map(\.stream))
            }
            for (part, (id, change)) in zip(result.append.commit.parts, result.changes) {
                guard let state = known[part.stream] ?? states[part.stream] else { continue }
                if state.end != part.expected { unclear.insert(part.stream) }
                switch change {
                case .records(let records): known[part.stream] = .init(id: id, end: records.last?.end ?? state.end)
                case .erased: known[part.stream] = .init(id: nil, end: part.stream.start)
                }
            }
        }
        return unclear.filter { states[$0] != nil }
    }
}

extension [PendingAppend] {
    /// Splits into batches, in order: each element that `isAlone` by itself, the others together.
    fileprivate func split(_ isAlone: (Element) -> Bool) -> [[Element]] {
        guard contains(where: isAlone) else { return isEmpty ? [] : [self] }
        var batches: [[Element]] = []
        var isOpen = false
        for element in self {
            if isOpen, !isAlone(element) {
                batches[batches.count - 1].append(element)
            } else {
                batches.append([element])
            }
            isOpen = !isAlone(element)
        }
        return batches
    }
}

private struct AppendedCommit {
    let append: PendingAppend
    /// Empty if it was not written now.
    var changes: [(stream: Int, change: StreamChange)] = []
    /// Nil if it is retried.
    var answer: AppendAnswer?

    init(_ append: PendingAppend, _ judgement: DatabaseSession.Judgement) {
        self.append = append
        let commit = append.commit
        switch judgement.outcome {
        case .written(let streams, let positions):
            changes = commit.changes(streams: streams, positions: positions, hashes: judgement.hashes)
            answer = AppendResult.written(changes.map(\.change)).answer
        case .repeated(let part, let end): answer = answer(held: end, by: part, judgement)
        case .conflict(let part, let end):
            // It may have been written, and then erased with its id.
            let isUnclear = append.isUnsure && commit.parts.contains { $0.stream.isErasable }
            answer = isUnclear ? .outcomeUnknown : .conflict(commit.parts[part].stream, actual: end)
        case .claimed(let part): answer = .claimed(commit.parts[part].stream)
        case .renewed: answer = .renewed
        case .held: break
        }
    }

    /// If the commit is where this log would have written it, and has the same hash, this log wrote it.
    private func answer(held end: StreamEnd, by part: Int, _ judgement: DatabaseSession.Judgement) -> AppendAnswer {
        let parts = append.commit.parts
        let count = parts[...part].reduce(0) { $0 + $1.eventCount }
        guard append.isUnsure, parts[part].eventCount > 0,
            end.version == parts[part].expected.version + parts[part].eventCount,
            end.head == judgement.hashes[judgement.hashes.startIndex + count - 1],
            let first = parts.first(where: { $0.eventCount > 0 })
        else { return .repeated(version: end.version) }
        return .appended(version: first.expected.version + first.eventCount)
    }

    func isFollowed(in followed: FollowedStreams) -> Bool {
        append.commit.parts.contains { followed.states[$0.stream] != nil }
    }
}

extension PostgreSQLError {
    /// Any other commit would fail too: read-only after a failover, a full disk, lost rights or tables.
    var isAboutTheServer: Bool {
        ["25006", "42501", "42P01", "42883", "3F000"].contains(state) || state.hasPrefix("53") || state.hasPrefix("58")
    }
}
