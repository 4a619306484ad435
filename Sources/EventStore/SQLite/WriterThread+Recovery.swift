// How the writer stops and continues.
import CSQLite
import Records

extension WriterThread {
    /// After a failure of the connection, which is closed.
    func stop(_ failure: SQLiteError, _ writer: RecordWriter, erasing streams: [StreamName] = []) -> EventLogError {
        let error = EventLogError.cannotWrite(reason: failure.reason)
        stop(error, writer, keeping: nil, erasing: streams)
        return error
    }

    /// The meaning of a failed COMMIT. On a full disk its last page, which makes it valid, was not written. While
    /// another process had locked the file, nothing was. Otherwise it may all be in the file, on disk or not.
    func outcome(of failure: SQLiteError, error: EventLogError) -> AppendAnswer {
        switch failure.primaryCode {
        case SQLITE_FULL, SQLITE_BUSY: .unavailable(error)
        default: .outcomeUnknown
        }
    }

    /// `streams`: erased by a write that is not acknowledged.
    private func stop(
        _ error: EventLogError, _ writer: RecordWriter, keeping kept: RecordWriter?, erasing streams: [StreamName]
    ) {
        writer.doubt(streams)
        state = .stopped(
            Interruption(
                error: error, writer: kept, acknowledged: writer.acknowledged, unsure: writer.tally,
                unsureErasures: streams, retry: .now + checkInterval))
        counters.failures.add()
        tellWatchers()
    }

    var mayBeDisplaced: Bool { nextCheck <= .now || placeWatch.takeChanges() }

    /// Stops if a file is not in its place, and returns the error.
    func stopIfDisplaced(_ writer: RecordWriter, erasing streams: [StreamName] = []) -> EventLogError? {
        nextCheck = .now + checkInterval
        // This look answers all changes so far.
        _ = placeWatch.takeChanges()
        do throws(EventLogError) { try checkPlace(of: writer) } catch {
            stop(error, writer, keeping: writer, erasing: streams)
            return error
        }
        return nil
    }

    /// Throws if a file that `writer` has open is not in its place.
    private func checkPlace(of writer: RecordWriter) throws(EventLogError) {
        let files = filePlaces.current
        do throws(EventLogError) { try files.check() } catch {
            // Only the write-ahead log's name is lost. While it is open, its content can be copied into the log. If
            // that fails, the next look tries again.
            if files.holdsLog { _ = try? writer.checkpoint(isThorough: true) }
            throw error
        }
    }

    func recover(from interruption: Interruption) {
        if let kept = interruption.writer {
            do throws(EventLogError) { try checkPlace(of: kept) } catch {
                return wait(longerThan: interruption, error, keeping: kept)
            }
        }
        do {
            let (writer, files) = try connection(after: interruption)
            switch try stalls.waitsForDisk(writer.recover) {
            case .lost(let stream, let version):
                wait(longerThan: interruption, loss(of: "record \(version) of \(stream.shownInLogs)"))
            case .older(let position): wait(longerThan: interruption, loss(of: "position \(position)"))
            case .complete(let records, let erasures):
                (filePlaces.current, placeWatch) = (files, PlaceWatch(files.paths))
                resumeWriting(after: interruption, with: writer, records, erasures)
            }
        } catch let failure as SQLiteError {
            wait(longerThan: interruption, .cannotWrite(reason: failure.reason))
        } catch {
            wait(longerThan: interruption, error as? EventLogError ?? interruption.error)
        }
    }

    private func connection(after interruption: Interruption) throws -> (RecordWriter, LogFilePlaces) {
        if let kept = interruption.writer { return (kept, filePlaces.current) }
        let database = try file.openToWrite()
        let files = try LogFilePlaces(of: database, at: file.path)
        let writer = try RecordWriter(database, acknowledged: interruption.acknowledged, unsure: interruption.unsure)
        return (writer, files)
    }

    private func loss(of what: String) -> EventLogError {
        .cannotWrite(reason: "\(what) was acknowledged and is not in \(file.path)")
    }

    private func wait(longerThan interruption: Interruption, _ error: EventLogError, keeping kept: RecordWriter? = nil)
    {
        var longer = interruption
        (longer.error, longer.writer) = (error, kept)
        longer.retry = .now + checkInterval
        state = .stopped(longer)
        if error != interruption.error { tellWatchers() }
    }

    /// `records` and `erasures` are those of unknown outcome.
    private func resumeWriting(
        after interruption: Interruption, with writer: RecordWriter, _ records: [Record], _ erasures: [Erasure]
    ) {
        state = .writing(writer)
        tally.current = writer.acknowledged.tally
        checkpoints.logOpened(hasErased: !erasures.isEmpty)
        var rest = records[...]
        for (erasure, stream) in zip(erasures, interruption.unsureErasures) {
            for record in rest.prefix(while: { $0.position < erasure.position }) { followers.tell(.records([record])) }
            rest = rest.drop { $0.position < erasure.position }
            followers.tell(.erased(erasure, of: stream))
        }
        for record in rest { followers.tell(.records([record])) }
        followers.resumePostponed()
        tellWatchers()
    }
}
