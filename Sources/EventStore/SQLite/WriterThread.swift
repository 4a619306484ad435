import CSQLite
import Cryptography

/// The one thread that writes: takes all that waits into one transaction and one sync, then tells everyone.
///
/// After the first failure it closes the file and writes nothing more until it has opened it again and found in it
/// everything that was acknowledged.
final class WriterThread {
    struct Append: Sendable {
        let commit: Commit
        let stream: StreamName
        let expected: Int
        let ticket: Ticket
        let answer: any LogInbox
    }

    enum Job: Sendable {
        case append(Append)
        case erase(StreamName, endingAt: Digest?, Ticket, any LogInbox)
        /// A history that has been read to the end there was when `position` was the highest one given.
        case attach(History, History.Progress, position: Int)
        case unfollow(Ticket, any LogInbox)
        case watch(any LogInbox)
    }

    /// Most appends in a transaction: bounds how long the first of them waits for the others.
    static let transactionLimit = 4_096
    /// Pages (of 4 KiB) written between two checkpoints: bounds the write-ahead log, and the time to open after a
    /// crash.
    static let checkpointPages = 4_096
    /// The same where something erased is still in the write-ahead log.
    static let owedCheckpointPages = 64

    private let file: LogFile
    private let retryInterval: Duration
    private let mailbox: Mailbox<Job>
    private let reader: Mailbox<ReaderThread.Job>
    private let histories: Histories
    private let tally: Tally
    private var state: State
    private var followers = Followers()
    private var watchers: [any LogInbox] = []
    private var deliveries = Deliveries()
    private var pagesSinceCheckpoint = 0
    /// What was erased is still in the write-ahead log: a reader was in the way.
    private var owesThoroughCheckpoint = false

    private enum State {
        case writing(RecordWriter)
        case stopped(Outage)
    }

    /// What is needed to go on after a failure.
    private struct Outage {
        var error: EventLogError
        let acknowledged: Acknowledged
        /// Whether this stream was erased is not known.
        let unsureErasure: StreamName?
        /// Read to an end that is not the one acknowledged.
        var postponed: [(History, History.Progress)] = []
        var retry: ContinuousClock.Instant
    }

    init(
        _ file: LogFile, retryInterval: Duration, mailbox: Mailbox<Job>, reader: Mailbox<ReaderThread.Job>,
        histories: Histories, tally: Tally
    ) throws(EventLogError) {
        self.file = file
        self.retryInterval = retryInterval
        self.mailbox = mailbox
        self.reader = reader
        self.histories = histories
        self.tally = tally
        let database = try file.openToWrite()
        do throws(SQLiteFailure) {
            var acknowledged = Acknowledged()
            acknowledged.position = try RecordReader(database).lastPosition()
            state = .writing(try RecordWriter(database, acknowledged: acknowledged))
        } catch {
            throw .cannotRead(reason: "\(file.path): \(error.reason)")
        }
    }

    /// Runs until the mailbox is closed and empty.
    func run() {
        while let jobs = mailbox.takeAll(waiting: timeToRetry) {
            perform(jobs)
            if case .stopped(let outage) = state, outage.retry <= .now { recover(from: outage) }
        }
        if case .stopped(let outage) = state {
            for (history, _) in outage.postponed { fail(history, .closed) }
        }
        for watcher in watchers { deliveries.add(.availability(.unavailable(.closed)), to: watcher) }
        deliveries.flush()
    }

    private var timeToRetry: Duration? {
        guard case .stopped(let outage) = state else { return nil }
        return max(.zero, ContinuousClock.now.duration(to: outage.retry))
    }

    private func perform(_ jobs: [Job]) {
        var appends: [Append] = []
        for job in jobs {
            switch job {
            case .append(let append):
                appends.append(append)
                if appends.count == WriterThread.transactionLimit { write(&appends) }
            case .erase(let stream, let head, let ticket, let inbox):
                // In a transaction of its own: between it and the next append to the stream, histories are told.
                write(&appends)
                erase(stream, endingAt: head, ticket, inbox)
            case .attach(let history, let progress, let position): attach(history, progress, position)
            case .unfollow(let ticket, let inbox): followers.remove(ticket, inbox)
            case .watch(let inbox):
                watchers.append(inbox)
                deliveries.add(.availability(availability), to: inbox)
            }
        }
        write(&appends)
        deliveries.flush()
    }

    private var availability: Availability {
        switch state {
        case .writing: .available
        case .stopped(let outage): .unavailable(outage.error)
        }
    }
}

/// Writing.
extension WriterThread {
    /// Empties `appends`.
    private func write(_ appends: inout [Append]) {
        guard !appends.isEmpty else { return }
        defer { appends.removeAll(keepingCapacity: true) }
        switch state {
        case .stopped(let outage): answer(appends, .unavailable(outage.error))
        case .writing(let writer): write(appends, with: writer)
        }
        deliveries.flush()
    }

    private func write(_ appends: [Append], with writer: RecordWriter) {
        var judgements: [Judgement] = []
        judgements.reserveCapacity(appends.count)
        do throws(SQLiteFailure) {
            try writer.begin()
            for append in appends {
                judgements.append(try writer.append(append.commit, to: append.stream, expecting: append.expected))
            }
        } catch {
            // Nobody is told of a conflict either: it may have been one with a record that now is not there.
            return answer(appends, .unavailable(stop(error, writer)))
        }
        do throws(SQLiteFailure) { try writer.commit() } catch {
            return answer(appends, outcome(of: error, error: stop(error, writer)))
        }
        var records = 0
        for (append, judgement) in zip(appends, judgements) {
            if case .written(let new) = judgement {
                records += new.count
                followers.tell(new, in: &deliveries)
            }
            deliveries.add(.settled(append.ticket, judgement.answer), to: append.answer)
        }
        tally.count { counters in
            counters.appends += appends.count
            counters.records += records
            counters.transactions += records > 0 ? 1 : 0
        }
        deliveries.flush()
        checkpoint(writer)
    }

    private func erase(_ stream: StreamName, endingAt head: Digest?, _ ticket: Ticket, _ inbox: any LogInbox) {
        defer { deliveries.flush() }
        guard case .writing(let writer) = state else {
            if case .unavailable(let error) = availability {
                deliveries.add(.settled(ticket, .unavailable(error)), to: inbox)
            }
            return
        }
        let judgement: ErasureJudgement
        do throws(SQLiteFailure) {
            try writer.begin()
            judgement = try writer.erase(stream, endingAt: head)
        } catch {
            return deliveries.add(.settled(ticket, .unavailable(stop(error, writer))), to: inbox)
        }
        do throws(SQLiteFailure) { try writer.commit() } catch {
            let answer = outcome(of: error, error: stop(error, writer, erasing: stream))
            return deliveries.add(.settled(ticket, answer), to: inbox)
        }
        if case .erased(let erasure) = judgement {
            histories.note(erasure, of: stream)
            followers.tell(erasure, of: stream, in: &deliveries)
            tally.count { $0.transactions += 1 }
        }
        deliveries.add(.settled(ticket, judgement.answer), to: inbox)
        deliveries.flush()
        // The name is to leave the write-ahead log too.
        if case .erased = judgement { checkpoint(writer, isThorough: true) }
    }

    private func checkpoint(_ writer: RecordWriter, isThorough: Bool = false) {
        pagesSinceCheckpoint += writer.takePagesWritten()
        let isDue = isThorough || pagesSinceCheckpoint >= WriterThread.checkpointPages
        // Owed: tried again soon, but not with each batch while somebody reads for long.
        guard isDue || owesThoroughCheckpoint && pagesSinceCheckpoint >= WriterThread.owedCheckpointPages else {
            return
        }
        pagesSinceCheckpoint = 0
        owesThoroughCheckpoint = owesThoroughCheckpoint || isThorough
        do throws(SQLiteFailure) {
            if try writer.checkpoint(isThorough: owesThoroughCheckpoint) { owesThoroughCheckpoint = false }
            tally.count { $0.checkpoints += 1 }
        } catch {
            _ = stop(error, writer)
            deliveries.flush()
        }
    }

    private func answer(_ appends: [Append], _ answer: AppendAnswer) {
        for append in appends { deliveries.add(.settled(append.ticket, answer), to: append.answer) }
    }

    /// What a failed COMMIT means. With a full disk its last page, which makes it valid, has not been written; and
    /// while somebody else had the file nothing was. Otherwise it may all be there, on disk or not.
    private func outcome(of failure: SQLiteFailure, error: EventLogError) -> AppendAnswer {
        switch failure.primaryCode {
        case SQLITE_FULL, SQLITE_BUSY: .unavailable(error)
        default: .outcomeUnknown
        }
    }
}

/// Stopping, and going on.
extension WriterThread {
    private func stop(_ failure: SQLiteFailure, _ writer: RecordWriter, erasing stream: StreamName? = nil)
        -> EventLogError
    {
        let error = EventLogError.cannotWrite(reason: failure.reason)
        var acknowledged = writer.acknowledged
        if let stream { acknowledged.heads[stream] = nil }
        state = .stopped(
            Outage(
                error: error, acknowledged: acknowledged, unsureErasure: stream, retry: .now + retryInterval))
        tally.count { $0.failures += 1 }
        tellWatchers()
        return error
    }

    private func recover(from outage: Outage) {
        do {
            let database = try file.openToWrite()
            let writer = try RecordWriter(database, acknowledged: outage.acknowledged)
            switch try writer.recover() {
            case .lost(let stream, let version):
                let reason = "record \(version) of \(stream.text) was acknowledged and is not in \(file.path)"
                wait(longerThan: outage, .cannotWrite(reason: reason))
            case .complete(let unsure, let erasure): goOn(after: outage, with: writer, unsure: unsure, erasure)
            }
        } catch let failure as SQLiteFailure {
            wait(longerThan: outage, .cannotWrite(reason: failure.reason))
        } catch {
            wait(longerThan: outage, error as? EventLogError ?? outage.error)
        }
        deliveries.flush()
    }

    private func wait(longerThan outage: Outage, _ error: EventLogError) {
        var longer = outage
        longer.error = error
        longer.retry = .now + retryInterval
        state = .stopped(longer)
        if error != outage.error { tellWatchers() }
    }

    private func goOn(after outage: Outage, with writer: RecordWriter, unsure: [Record], _ erasure: Erasure?) {
        state = .writing(writer)
        pagesSinceCheckpoint = 0
        for record in unsure { followers.tell([record], in: &deliveries) }
        if let stream = outage.unsureErasure, let erasure {
            histories.note(erasure, of: stream)
            followers.tell(erasure, of: stream, in: &deliveries)
        }
        for (history, progress) in outage.postponed { readOn(history, progress) }
        tellWatchers()
    }

    private func tellWatchers() {
        for watcher in watchers { deliveries.add(.availability(availability), to: watcher) }
    }
}

/// Where reading what was there ends and hearing what is new begins.
extension WriterThread {
    private func attach(_ history: History, _ progress: History.Progress, _ position: Int) {
        if history.isEnded { return }
        switch state {
        case .stopped(var outage):
            if position == outage.acknowledged.position, !history.hasErasures { return settle(history, progress) }
            outage.postponed.append((history, progress))
            state = .stopped(outage)
        case .writing(let writer):
            if position == writer.acknowledged.position, !history.hasErasures { return settle(history, progress) }
            do throws(EventLogError) {
                // The little that came meanwhile. Nothing can come now: this is the thread that would write it.
                switch try history.step(from: progress, with: writer.reader, in: &deliveries) {
                case .more(let next): readOn(history, next)
                case .end(let next, _): settle(history, next)
                }
            } catch {
                fail(history, error)
            }
        }
    }

    private func settle(_ history: History, _ progress: History.Progress) {
        histories.remove(history.ticket, history.inbox)
        deliveries.add(
            .caughtUp(history.ticket, version: progress.reached, head: progress.head), to: history.inbox)
        followers.add(history.ticket, history.inbox, to: history.source)
    }

    private func readOn(_ history: History, _ progress: History.Progress) {
        // What this inbox was told here comes before what the reader will tell it.
        deliveries.flush()
        if reader.post(.history(history, progress), isOwed: true) == .closed { fail(history, .closed) }
    }

    private func fail(_ history: History, _ error: EventLogError) {
        histories.remove(history.ticket, history.inbox)
        deliveries.add(.followFailed(history.ticket, error), to: history.inbox)
    }
}
