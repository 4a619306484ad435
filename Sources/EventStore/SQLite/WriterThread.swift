import Records
import Threads

/// The only thread that writes: takes all that waits into one transaction and one sync, then tells everyone.
///
/// After the first failure it closes the file. It writes again only after it has opened the file and found everything
/// that was acknowledged. If a file has lost its name, anything written to it would be gone at the next start. The
/// writer then waits until the name is back, and closes nothing, since its open files may be all that exists.
final class WriterThread: StoreThread {
    /// Most appends in a transaction: bounds how long the first of them waits for the others.
    static let transactionLimit = 4_096

    let file: LogFile
    let filePlaces: Shared<LogFilePlaces>
    var placeWatch: PlaceWatch
    let checkInterval: Duration
    let counters: SharedLogCounters
    /// What is acknowledged, for others to read.
    let tally: Shared<LogTally>
    /// How the log differs from the note made before it was opened.
    let difference: LogDifference?
    let stalls: StallWatch.Shared
    let deliveries: LogDeliveries
    let followers: FollowerDesk
    var checkpoints: CheckpointPlan
    private var gatherPlan = GatherPlan()
    var state: State
    /// When the log next checks that its files are in their place, even if nothing moved near them.
    var nextCheck = ContinuousClock.now

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
        var retry: ContinuousClock.Instant
    }

    init(
        _ file: LogFile, checkInterval: Duration, noted: LogTally?, _ calls: LogCalls, _ stalls: StallWatch.Shared
    ) throws(EventLogError) {
        (self.file, self.checkInterval, self.stalls) = (file, checkInterval, stalls)
        counters = calls.counters
        deliveries = LogDeliveries(calls.catchUps)
        followers = FollowerDesk(calls, deliveries)
        let database = try file.openToWrite()
        let places = try LogFilePlaces(of: database, at: file.path)
        (filePlaces, placeWatch) = (Shared(places), PlaceWatch(places.paths))
        // A hub that was killed may have left erased data in the write-ahead log. If the disk takes no writes, the
        // first append learns that.
        checkpoints = CheckpointPlan(owesThorough: (try? database.startJournal()) != true)
        do throws(SQLiteError) {
            var acknowledged = Acknowledged()
            (acknowledged.tally, difference) = try RecordReader(database).tally(since: noted)
            tally = Shared(acknowledged.tally)
            state = .writing(try RecordWriter(database, acknowledged: acknowledged))
        } catch {
            throw .cannotRead(reason: "\(file.path): \(error.reason)")
        }
    }

    /// When to look at the files again, even if there is nothing else to do.
    var nextDue: ContinuousClock.Instant? {
        switch state {
        case .writing: nextCheck
        case .stopped(let interruption): interruption.retry
        }
    }

    var gathering: Gathering? { gatherPlan.gathering }

    func runJobs(_ jobs: [WriterJob]) {
        var appends: [PendingAppend] = []
        gatherPlan.reset()
        for job in jobs {
            switch job {
            case .append(let append):
                // In its own transaction, because catch-ups must learn of it before the next append to the stream.
                let isAlone = append.commit.erases
                if isAlone { write(&appends) }
                appends.append(append)
                if isAlone || appends.count == WriterThread.transactionLimit { write(&appends) }
            case .attach(let catchUp, let progress): attach(catchUp, progress)
            case .unfollow(let ticket, let inbox): followers.unfollow(ticket, inbox)
            case .watch(let inbox):
                stalls.add(inbox)
                deliveries.tell([inbox], availability)
            case .diskAnswered:
                stalls.diskAnswered()
                tellWatchers()
            case .change, .refresh, .polled, .probed: preconditionFailure("no other process writes to the file")
            }
        }
        write(&appends)
        deliveries.flush()
        lookAtFiles()
    }

    private func lookAtFiles() {
        switch state {
        case .writing(let writer):
            guard nextCheck <= .now else { return }
            // The check itself stores and reports what is wrong. An idle log must also get rid of data that was erased
            // while someone read.
            if stopIfDisplaced(writer) == nil, checkpoints.owesThorough { checkpoint(writer, isThorough: true) }
        case .stopped(let interruption):
            guard interruption.retry <= .now else { return }
            recover(from: interruption)
        }
        deliveries.flush()
    }

    func shutDown() {
        if case .writing(let writer) = state, stopIfDisplaced(writer) == nil { writer.endOrderly() }
        if case .stopped = state { followers.failPostponed(.closed) }
        deliveries.tell(stalls.inboxes, .unavailable(.closed))
        deliveries.flush()
    }

    private func attach(_ catchUp: CatchUp, _ progress: CatchUp.Progress) {
        switch state {
        case .writing(let writer):
            followers.attach(
                catchUp, progress, acknowledged: writer.acknowledged.position, readingWith: writer.reader)
        case .stopped(let interruption):
            followers.attach(catchUp, progress, acknowledged: interruption.acknowledged.position, readingWith: nil)
        }
    }

    private var availability: Availability {
        switch state {
        case .writing: .available
        case .stopped(let interruption): .unavailable(interruption.error)
        }
    }

    func tellWatchers() { deliveries.tell(stalls.inboxes, availability) }
}

extension WriterThread {
    private func write(_ appends: inout [PendingAppend]) {
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
        deliveries.flush()
    }

    private func write(_ appends: [PendingAppend], with writer: RecordWriter) {
        if mayBeDisplaced, let error = stopIfDisplaced(writer) { return answer(appends, .unavailable(error)) }
        var results: [AppendResult] = []
        results.reserveCapacity(appends.count)
        do throws(SQLiteError) {
            try stalls.waitsForDisk { () throws(SQLiteError) in
                try writer.beginTransaction()
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
        if mayBeDisplaced, stopIfDisplaced(writer, erasing: erased) != nil { return answer(appends, .outcomeUnknown) }
        writer.acknowledge()
        tally.current = writer.acknowledged.tally
        let committed = committing..<SteadyClock.now()
        acknowledge(appends, results, committed: committed)
        gatherPlan.committed(appends.count, waited: committed)
        deliveries.flush()
        // What was erased must leave the write-ahead log too.
        checkpoint(writer, isThorough: !erased.isEmpty)
    }

    /// Tells everyone what is durable. `committed`: when the log waited for the disk.
    private func acknowledge(_ appends: [PendingAppend], _ results: [AppendResult], committed: Range<Nanoseconds>) {
        var (records, hasChanges) = (0, false)
        for (append, result) in zip(appends, results) {
            for change in result.changes {
                hasChanges = true
                records += change.records?.count ?? 0
                followers.tell(change)
            }
            deliveries.answer(append, result.answer)
            counters.appends.add(committed.upperBound - append.handedOver)
            if case .conflict = result.answer { counters.conflicts.add() }
        }
        counters.records.add(records)
        if hasChanges { counters.syncs.add(committed.count) }
    }

    private func answer(_ appends: [PendingAppend], _ answer: AppendAnswer) {
        for append in appends { deliveries.answer(append, answer) }
    }

    private func checkpoint(_ writer: RecordWriter, isThorough: Bool) {
        guard checkpoints.isDue(pagesWritten: writer.takePagesWritten(), isThorough: isThorough) else { return }
        do throws(SQLiteError) {
            let isDone = try stalls.waitsForDisk { () throws(SQLiteError) in
                try writer.checkpoint(isThorough: checkpoints.owesThorough)
            }
            if isDone { checkpoints.owesThorough = false }
            counters.checkpoints.add()
        } catch {
            _ = stop(error, writer)
            deliveries.flush()
        }
    }
}
