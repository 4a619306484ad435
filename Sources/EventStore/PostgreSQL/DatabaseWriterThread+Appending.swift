import Records
import Threads

extension DatabaseWriterThread {
    func write(_ appends: [Retry]) {
        // An append waits if it shares a stream with one that is being retried.
        var busy = Set(retries.flatMap { $0.append.commit.parts.map(\.stream) })
        var free: [Retry] = []
        free.reserveCapacity(appends.count)
        for append in appends {
            if !busy.isEmpty, append.append.commit.parts.contains(where: { busy.contains($0.stream) }) {
                busy.formUnion(append.append.commit.parts.map(\.stream))
                retries.append(append)
            } else {
                free.append(append)
            }
        }
        for batch in free.split({ $0.append.commit.fencing != nil }) {
            // First, because a session found closed is replaced, and that may show that the run was lost.
            let session = usableSession()
            if case .unavailable(let error) = availability {
                for append in batch { answer(append, because: error) }
            } else if let session {
                write(batch, with: session)
            }
        }
    }

    private func write(_ appends: [Retry], with session: DatabaseSession) {
        let begun = SteadyClock.now()
        do throws(DatabaseSession.Failure) {
            let judgements =
                if let fencing = appends[0].append.commit.fencing {
                    [try session.write(appends[0].append.commit, fencing: fencing)]
                } else {
                    try session.write(appends.map(\.append.commit))
                }
            tell(appends, judgements, with: session, written: begun..<SteadyClock.now())
        } catch {
            handle(error, of: appends)
        }
    }

    private func handle(_ failure: DatabaseSession.Failure, of appends: [Retry]) {
        let error = EventLogError.cannotWrite(reason: failure.error.reason)
        if case .unknown = failure {
            // From when it was first sent, not from when it was handed over: the time it takes to find out.
            let deadline = ContinuousClock.now + timing.retryLimit
            let unsure = appends.map {
                Retry(append: $0.append, isUnsure: true, deadline: $0.isUnsure ? $0.deadline : deadline)
            }
            retries = unsure + retries
            return goDown(because: error)
        }
        if failure.error.isFenced {
            retries = appends + retries
            return becomeFenced()
        }
        if failure.error.isHeld {
            retries = appends + retries
            nextRetry = .now + timing.heldRetry
            return
        }
        if failure.error.isConnectionLost || failure.error.isAboutTheServer {
            // For appends whose outcome is still unknown, the answer must not be that nothing was written.
            retries = appends.filter(\.isUnsure) + retries
            for append in appends where !append.isUnsure { answer(append, because: error) }
            return goDown(because: error)
        }
        // One of them is at fault.
        if appends.count == 1 { return answer(appends[0], because: error) }
        for append in appends { write([append]) }
    }

    /// Tells everyone what is durable, and answers.
    private func tell(
        _ appends: [Retry], _ judgements: [DatabaseSession.Judgement], with session: DatabaseSession,
        written span: Range<Nanoseconds>
    ) {
        var results = zip(appends, judgements).map { AppendedCommit($0, $1) }
        postponeWhatWaits(in: &results)
        // What others wrote comes before an answer that follows from it.
        let problem = refresh(streamsToRead(results), with: session)
        var records = 0
        for result in results {
            for (part, (id, change)) in zip(result.append.append.commit.parts, result.changes) {
                records += change.records?.count ?? 0
                tell(change, of: id, behind: part.expected)
            }
            settle(result, problem)
            counters.appends.add(span.upperBound - result.append.append.handedOver)
        }
        counters.records.add(records)
        if results.contains(where: { !$0.changes.isEmpty }) { counters.syncs.add(span.count) }
        if let problem { goDown(because: problem) }
    }

    /// An append that does not fit may fit once an earlier one has been written that another transaction holds up.
    private func postponeWhatWaits(in results: inout [AppendedCommit]) {
        var busy: Set<StreamName> = []
        for index in results.indices {
            let streams = results[index].append.append.commit.parts.map(\.stream)
            if case .conflict = results[index].answer, streams.contains(where: busy.contains) {
                results[index].answer = nil
            }
            if results[index].answer == nil { busy.formUnion(streams) }
        }
    }

    private func settle(_ result: AppendedCommit, _ problem: EventLogError?) {
        switch result.answer {
        case nil:
            retries.append(result.append)
            nextRetry = .now + timing.heldRetry
        // The followers lack the records before the answer.
        case .appended where problem != nil && result.isFollowed(in: followed):
            answer(result.append.append, .outcomeUnknown)
        case .conflict:
            counters.conflicts.add()
            answer(result.append.append, problem.map { .unavailable($0) } ?? result.settled)
        case .repeated:
            answer(result.append.append, problem.map { .unavailable($0) } ?? result.settled)
        default: answer(result.append.append, result.settled)
        }
    }

    private func tell(_ change: StreamChange, of id: Int, behind end: StreamEnd) {
        switch change {
        // Their hashes start from that end and need not be computed again.
        case .records(let records): _ = followed.tell(records, of: id, behind: end, in: &outbox)
        case .erased(let erasure, let stream):
            catchUps.note(erasure, of: stream)
            followed.tell(erasure, of: id, in: &outbox)
        }
        // Another node's record came in between. The next poll brings both.
        if !followed.tellAll(change, in: &outbox) { nextPoll = .now }
    }

    /// Streams whose followers lack something that others wrote before these commits.
    private func streamsToRead(_ results: [AppendedCommit]) -> Set<StreamName> {
        var unclear: Set<StreamName> = []
        var known: [StreamName: FollowedStreams.State] = [:]
        for result in results {
            if result.changes.isEmpty, result.answer != nil {
                unclear.formUnion(result.append.append.commit.parts.map(\.stream))
            }
            for (part, (id, change)) in zip(result.append.append.commit.parts, result.changes) {
                guard let state = known[part.stream] ?? followed.states[part.stream] else { continue }
                if state.end != part.expected { unclear.insert(part.stream) }
                switch change {
                case .records(let records):
                    known[part.stream] = .init(id: id, end: records.last?.end ?? state.end)
                case .erased: known[part.stream] = .init(id: nil, end: part.stream.start)
                }
            }
        }
        return unclear.filter { followed.states[$0] != nil }
    }
}

extension [DatabaseWriterThread.Retry] {
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

/// A commit and its result.
private struct AppendedCommit {
    let append: DatabaseWriterThread.Retry
    /// Empty if it was not written now.
    let changes: [(stream: Int, change: StreamChange)]
    /// Nil if it is retried.
    var answer: AppendAnswer?

    init(_ append: DatabaseWriterThread.Retry, _ judgement: DatabaseSession.Judgement) {
        self.append = append
        let commit = append.append.commit
        switch judgement.outcome {
        case .written(let streams, let positions):
            changes = commit.changes(streams: streams, positions: positions, hashes: judgement.hashes)
            answer = AppendResult.written(changes.map(\.change)).answer
        case .repeated(let part, let end):
            changes = []
            answer = AppendedCommit.answer(to: append, held: end, by: part, judgement)
        case .conflict(let part, let end):
            changes = []
            // It may have been written, and then erased with its id.
            let isUnclear = append.isUnsure && commit.parts.contains { $0.stream.isErasable }
            answer = isUnclear ? .outcomeUnknown : .conflict(commit.parts[part].stream, actual: end)
        case .claimed(let part):
            changes = []
            answer = .claimed(commit.parts[part].stream)
        case .renewed: (changes, answer) = ([], .renewed)
        case .held: (changes, answer) = ([], nil)
        }
    }

    /// If the commit is where this log would have written it, and has the same hash, this log wrote it.
    private static func answer(
        to append: DatabaseWriterThread.Retry, held end: StreamEnd, by part: Int,
        _ judgement: DatabaseSession.Judgement
    ) -> AppendAnswer {
        let parts = append.append.commit.parts
        let count = parts[...part].reduce(0) { $0 + $1.eventCount }
        guard append.isUnsure, parts[part].eventCount > 0,
            end.version == parts[part].expected.version + parts[part].eventCount,
            end.head == judgement.hashes[judgement.hashes.startIndex + count - 1],
            let first = parts.first(where: { $0.eventCount > 0 })
        else { return .repeated(version: end.version) }
        return .appended(version: first.expected.version + first.eventCount)
    }

    /// For an append that is not retried.
    var settled: AppendAnswer { answer ?? .outcomeUnknown }

    func isFollowed(in followed: FollowedStreams) -> Bool {
        append.append.commit.parts.contains { followed.states[$0.stream] != nil }
    }
}

extension PostgreSQLError {
    /// Any other commit would fail too: read-only after a failover, a full disk, lost rights or tables.
    var isAboutTheServer: Bool {
        ["25006", "42501", "42P01", "42883", "3F000"].contains(state) || state.hasPrefix("53") || state.hasPrefix("58")
    }
}
