import CSQLite
import Records
import Threads

/// The only thread that writes: takes all that waits into one transaction and one sync, then tells everyone.
///
/// After the first failure it closes the file. It writes again only after it has opened the file and found everything
/// that was acknowledged. If a file has lost its name, anything written to it would be gone at the next start. The
/// writer then waits until the name is back, and closes nothing, since its open files may be all that exists.
final class WriterThread {
    struct Append: Sendable {
        let commit: Commit
        let ticket: Ticket
        let answer: any LogInbox
        let handedOver: Nanoseconds
    }

    enum Job: Sendable {
        case append(Append)
        /// A catch-up that has been read to the end at the time when `position` was the highest.
        case attach(CatchUp, CatchUp.Progress, position: Int)
        case unfollow(Ticket, any LogInbox)
        case watch(any LogInbox)
        /// They were told that the disk does not answer.
        case tellWatchers
    }

    /// Most appends in a transaction: bounds how long the first of them waits for the others.
    static let transactionLimit = 4_096
    /// Pages (of 4 KiB) written between two checkpoints: bounds the write-ahead log, and the time to open after a
    /// crash.
    static let checkpointPages = 4_096
    /// The same while erased data is still in the write-ahead log.
    static let owedCheckpointPages = 64

    let file: LogFile
    let filePlaces: SharedLogFilePlaces
    let checkInterval: Duration
    private let mailbox: Mailbox<Job>
    private let reader: Mailbox<ReaderThread.Job>
    let catchUps: CatchUps
    let counters: SharedLogCounters
    /// What is acknowledged, for others to read.
    let tally: SharedTally
    /// How the log differs from the note made before it was opened.
    let difference: LogDifference?
    var state: State
    /// When an idle log next checks that its files are in their place.
    var nextCheck = ContinuousClock.now
    var followers = Followers()
    let stalls: StallWatch.Shared
    var outbox = Outbox()
    var pagesSinceCheckpoint = 0
    /// Erased data may still be in the write-ahead log, because a reader was in the way.
    var owesThoroughCheckpoint: Bool

    enum State {
        case writing(RecordWriter)
        case stopped(Interruption)
    }

    /// What is needed to continue after a failure.
    struct Interruption {
        var error: EventLogError
        /// The connection, if it works but one of its files has lost its name; nil if it was closed.
        var writer: RecordWriter?
        let acknowledged: Acknowledged
        /// What the log holds if the failed transaction is in it.
        let unsure: LogTally
        /// Streams, in the order of one commit, of which it is unknown whether they were erased.
        let unsureErasures: [StreamName]
        /// Read to an end that is not the acknowledged one.
        var postponed: [(CatchUp, CatchUp.Progress)] = []
        var retry: ContinuousClock.Instant
    }

    init(
        _ file: LogFile, checkInterval: Duration, noted: LogTally?, mailbox: Mailbox<Job>,
        reader: Mailbox<ReaderThread.Job>, catchUps: CatchUps, counters: SharedLogCounters, stalls: StallWatch.Shared
    ) throws(EventLogError) {
        self.file = file
        self.checkInterval = checkInterval
        self.mailbox = mailbox
        self.reader = reader
        self.catchUps = catchUps
        self.counters = counters
        self.stalls = stalls
        let database = try file.openToWrite()
        filePlaces = SharedLogFilePlaces(try LogFilePlaces(of: database, at: file.path))
        // A hub that was killed may have left erased data in the write-ahead log. If the disk takes no writes, the
        // first append learns that.
        owesThoroughCheckpoint = (try? database.startJournal()) != true
        do throws(SQLiteError) {
            var acknowledged = Acknowledged()
            (acknowledged.tally, difference) = try RecordReader(database).tally(since: noted)
            tally = SharedTally(acknowledged.tally)
            state = .writing(try RecordWriter(database, acknowledged: acknowledged))
        } catch {
            throw .cannotRead(reason: "\(file.path): \(error.reason)")
        }
    }

    func run() {
        while let jobs = mailbox.takeAll(waiting: max(.zero, ContinuousClock.now.duration(to: nextAttempt))) {
            perform(jobs)
            guard nextAttempt <= .now else { continue }
            switch state {
            // The check itself stores and reports what is wrong.
            case .writing(let writer):
                // An idle log must also get rid of data that was erased while someone read.
                if stopIfDisplaced(writer) == nil, owesThoroughCheckpoint { checkpoint(writer, isThorough: true) }
            case .stopped(let interruption): recover(from: interruption)
            }
            outbox.flush()
        }
        if case .writing(let writer) = state, stopIfDisplaced(writer) == nil { writer.endOrderly() }
        if case .stopped(let interruption) = state {
            for (catchUp, _) in interruption.postponed { fail(catchUp, .closed) }
        }
        for watcher in stalls.inboxes { outbox.add(.availability(.unavailable(.closed)), to: watcher) }
        outbox.flush()
    }

    /// When to look at the files again, even if there is nothing else to do.
    private var nextAttempt: ContinuousClock.Instant {
        switch state {
        case .writing: nextCheck
        case .stopped(let interruption): interruption.retry
        }
    }

    private func perform(_ jobs: [Job]) {
        var appends: [Append] = []
        for job in jobs {
            switch job {
            case .append(let append):
                // In its own transaction, because catch-ups must learn of it before the next append to the stream.
                let isAlone = append.commit.erases
                if isAlone { write(&appends) }
                appends.append(append)
                if isAlone || appends.count == WriterThread.transactionLimit { write(&appends) }
            case .attach(let catchUp, let progress, let position): attach(catchUp, progress, position)
            case .unfollow(let ticket, let inbox): followers.remove(ticket, inbox)
            case .watch(let inbox):
                stalls.add(inbox)
                outbox.add(.availability(availability), to: inbox)
            case .tellWatchers:
                stalls.isOver()
                tellWatchers()
            }
        }
        write(&appends)
        outbox.flush()
    }

    var availability: Availability {
        switch state {
        case .writing: .available
        case .stopped(let interruption): .unavailable(interruption.error)
        }
    }
}

extension WriterThread {
    private func write(_ appends: inout [Append]) {
        guard !appends.isEmpty else { return }
        counters.underWay.set(appends.count)
        defer {
            counters.underWay.set(0)
            appends.removeAll(keepingCapacity: true)
        }
        switch state {
        case .stopped(let interruption): answer(appends, .unavailable(interruption.error))
        case .writing(let writer): write(appends, with: writer)
        }
        outbox.flush()
    }

    private func write(_ appends: [Append], with writer: RecordWriter) {
        if let error = stopIfDisplaced(writer) { return answer(appends, .unavailable(error)) }
        var results: [AppendResult] = []
        results.reserveCapacity(appends.count)
        do throws(SQLiteError) {
            try stalls.waitsForDisk { () throws(SQLiteError) in
                try writer.begin()
                for append in appends { results.append(try writer.append(append.commit)) }
            }
        } catch {
            // Conflicts are not answered either, since the conflicting record may now be missing.
            return answer(appends, .unavailable(stop(error, writer)))
        }
        let erased = results.flatMap { $0.erasedStreams }
        let committing = SteadyClock.now()
        do throws(SQLiteError) { try stalls.waitsForDisk(writer.commit) } catch {
            return answer(appends, outcome(of: error, error: stop(error, writer, erasing: erased)))
        }
        // If a file was moved in the meantime, the commit is in a file, but maybe in none that exists after a restart.
        guard stopIfDisplaced(writer, erasing: erased) == nil else { return answer(appends, .outcomeUnknown) }
        writer.acknowledge()
        tally.current = writer.acknowledged.tally
        acknowledge(appends, results, committed: committing..<SteadyClock.now())
        outbox.flush()
        // What was erased must leave the write-ahead log too.
        checkpoint(writer, isThorough: !erased.isEmpty)
    }

    /// Tells everyone what is durable. `committed`: when the log waited for the disk.
    private func acknowledge(_ appends: [Append], _ results: [AppendResult], committed: Range<Nanoseconds>) {
        var (records, hasChanges) = (0, false)
        for (append, result) in zip(appends, results) {
            for change in result.changes {
                hasChanges = true
                records += change.records?.count ?? 0
                tell(change)
            }
            outbox.add(.settled(append.ticket, result.answer), to: append.answer)
            counters.appends.add(committed.upperBound - append.handedOver)
            if case .conflict = result.answer { counters.conflicts.add() }
        }
        counters.records.add(records)
        if hasChanges { counters.syncs.add(committed.count) }
    }

    func tell(_ change: StreamChange) {
        if case .erased(let erasure, let stream) = change { catchUps.note(erasure, of: stream) }
        followers.tell(change, in: &outbox)
    }

    private func checkpoint(_ writer: RecordWriter, isThorough: Bool) {
        pagesSinceCheckpoint += writer.takePagesWritten()
        let isDue = isThorough || pagesSinceCheckpoint >= WriterThread.checkpointPages
        // Owed: tried again soon, and by an idle log, but not with each batch while a long read is under way.
        guard isDue || owesThoroughCheckpoint && pagesSinceCheckpoint >= WriterThread.owedCheckpointPages else {
            return
        }
        pagesSinceCheckpoint = 0
        owesThoroughCheckpoint = owesThoroughCheckpoint || isThorough
        do throws(SQLiteError) {
            let isDone = try stalls.waitsForDisk { () throws(SQLiteError) in
                try writer.checkpoint(isThorough: owesThoroughCheckpoint)
            }
            if isDone { owesThoroughCheckpoint = false }
            counters.checkpoints.add()
        } catch {
            _ = stop(error, writer)
            outbox.flush()
        }
    }

    private func answer(_ appends: [Append], _ answer: AppendAnswer) {
        for append in appends { outbox.add(.settled(append.ticket, answer), to: append.answer) }
    }
}

/// Where reading older records ends and receiving new ones begins.
extension WriterThread {
    private func attach(_ catchUp: CatchUp, _ progress: CatchUp.Progress, _ position: Int) {
        if catchUp.isEnded { return }
        switch state {
        case .stopped(var interruption):
            if position == interruption.acknowledged.position, !catchUp.hasErasures { return settle(catchUp, progress) }
            interruption.postponed.append((catchUp, progress))
            state = .stopped(interruption)
        case .writing(let writer):
            if position == writer.acknowledged.position, !catchUp.hasErasures { return settle(catchUp, progress) }
            do throws(EventLogError) {
                // The few records since then. None can be added now, because this is the thread that would write them.
                switch try catchUp.step(from: progress, with: writer.reader, in: &outbox) {
                case .more(let next): readOn(catchUp, next)
                case .end(let next, _): settle(catchUp, next)
                }
            } catch {
                fail(catchUp, error)
            }
        }
    }

    private func settle(_ catchUp: CatchUp, _ progress: CatchUp.Progress) {
        catchUps.remove(catchUp.ticket, catchUp.inbox)
        outbox.add(
            .caughtUp(catchUp.ticket, version: progress.reached, head: progress.head), to: catchUp.inbox)
        followers.add(catchUp.ticket, catchUp.inbox, to: catchUp.source)
    }

    func readOn(_ catchUp: CatchUp, _ progress: CatchUp.Progress) {
        // Messages to this inbox from here must come before those from the reader.
        outbox.flush()
        if reader.post(.catchUp(catchUp, progress), isOwed: true) == .closed { fail(catchUp, .closed) }
    }

    private func fail(_ catchUp: CatchUp, _ error: EventLogError) {
        catchUps.remove(catchUp.ticket, catchUp.inbox)
        outbox.add(.followFailed(catchUp.ticket, error), to: catchUp.inbox)
    }
}
