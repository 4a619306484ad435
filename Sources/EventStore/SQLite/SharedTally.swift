import Synchronization

/// What the writer's thread has acknowledged, for others to read.
final class SharedTally: Sendable {
    private let tally: Mutex<LogTally>

    init(_ tally: LogTally) { self.tally = Mutex(tally) }

    var current: LogTally {
        get { tally.withLock { $0 } }
        set { tally.withLock { $0 = newValue } }
    }
}

extension RecordReader {
    /// The log's tally now, and how the log differs from `noted`.
    func tally(since noted: LogTally?) throws(SQLiteError) -> (LogTally, LogDifference?) {
        guard let noted else { return (try tally(), nil) }
        let position = try lastPosition()
        // A log that has gone back is taken as it is: the operator may have restored a backup.
        guard noted.position <= position else {
            return (try tally(), .older(by: noted.position - position, than: noted.position))
        }
        // Nothing remains of erased records by which the note could be brought up to date.
        guard try erasures(afterPosition: noted.position, limit: 1).isEmpty else { return (try tally(), nil) }
        let tally = try tally(adding: noted)
        // Comparing each record is the job of `verify`. Missing records are reported until the note is deleted.
        let missing = tally.lasting.count + tally.erasable.count - (try count())
        return (tally, missing > 0 ? .lacks(missing, upTo: noted.position) : nil)
    }
}
