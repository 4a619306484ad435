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
    /// What the log holds now, and how that differs from what it held when `noted` was.
    func tally(since noted: LogTally?) throws(SQLiteError) -> (LogTally, LogDifference?) {
        guard let noted else { return (try tally(), nil) }
        let position = try lastPosition()
        // A log that has gone back counts as it is: a backup may be meant.
        guard noted.position <= position else {
            return (try tally(), .older(by: noted.position - position, than: noted.position))
        }
        // Of what was erased since nothing is left by which to bring the note up to now.
        guard try erasures(afterPosition: noted.position, limit: 1).isEmpty else { return (try tally(), nil) }
        let tally = try tally(adding: noted)
        // Looking at each record is for `verify`. What is missing stays so until the note is deleted.
        let missing = tally.lasting.count + tally.erasable.count - (try count())
        return (tally, missing > 0 ? .lacks(missing, upTo: noted.position) : nil)
    }
}
