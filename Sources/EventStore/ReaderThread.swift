import Records

/// Where a log's reader reads. Each log has its own connection for this.
protocol LogSource: AnyObject {
    func load(_ stream: StreamName, after version: Int, limit: Int) throws(EventLogError) -> [Record]
    func newest(_ limit: Int) throws(EventLogError) -> [Record]
    /// Reads the next piece for a catch-up.
    func readPiece(
        for catchUp: CatchUp, from progress: CatchUp.Progress, in outbox: inout Outbox
    ) throws(EventLogError) -> CatchUp.Step
    /// What others have written after `position`; nil if it cannot be read.
    func poll(after position: Int) -> FeedSlice?
    /// Why nothing can be read; nil if the server answers.
    func probe() -> EventLogError?
}

/// Answers `load`, and reads older records for a `follow`, so that neither waits for a commit.
final class ReaderThread: StoreThread {
    private let source: any LogSource
    private let calls: LogCalls

    init(_ source: any LogSource, _ calls: LogCalls) { (self.source, self.calls) = (source, calls) }

    func runJobs(_ jobs: [ReaderJob]) { for job in jobs { runJob(job) } }

    private func runJob(_ job: ReaderJob) {
        switch job {
        case .load(let stream, let version, let limit, let ticket, let inbox):
            let records = Result { () throws(EventLogError) in
                try source.load(stream, after: version, limit: limit)
            }
            inbox.deliver([.loaded(ticket, records)])
        case .loadNewest(let limit, let ticket, let inbox):
            let records = Result { () throws(EventLogError) in try source.newest(limit) }
            inbox.deliver([.loaded(ticket, records)])
        case .catchUp(let catchUp, let progress): read(catchUp, from: progress)
        case .poll(let position): calls.writer.post(.polled(source.poll(after: position)), isOwed: true)
        case .probe: calls.writer.post(.probed(source.probe()), isOwed: true)
        }
    }

    /// Reads one piece and queues the rest after the waiting jobs, so that a long catch-up delays no one.
    private func read(_ catchUp: CatchUp, from progress: CatchUp.Progress) {
        if catchUp.isEnded { return }
        var outbox = Outbox()
        do throws(EventLogError) {
            let step = try source.readPiece(for: catchUp, from: progress, in: &outbox)
            outbox.flush()
            let posting =
                switch step {
                case .more(let next): calls.reader.post(.catchUp(catchUp, next), isOwed: true)
                case .end(let next): calls.writer.post(.attach(catchUp, next), isOwed: true)
                }
            if posting == .closed { throw .closed }
        } catch {
            calls.catchUps.fail(catchUp, error)
        }
    }
}
