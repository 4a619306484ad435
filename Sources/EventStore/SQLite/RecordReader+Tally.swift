import Records

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
        let missing =
            tally.lasting.count + tally.erasable.count - (try database.integer("SELECT count(*) FROM records"))
        return (tally, missing > 0 ? .lacks(missing, upTo: noted.position) : nil)
    }

    /// The tally of the whole log. It reads everything: some seconds for each million records.
    func tally() throws(SQLiteError) -> LogTally { try tally(adding: LogTally()) }

    /// The tally of the whole log, starting from an earlier `tally`. Nothing may have been erased since.
    func tally(adding tally: LogTally) throws(SQLiteError) -> LogTally {
        var tally = tally
        let rows = try database.prepare(
            """
            SELECT position, version, time, type, commit_id, hash, name FROM records
            JOIN streams ON streams.id = stream WHERE position > ?1
            """)
        rows.bind(tally.position, at: 1)
        while try rows.step() {
            let stream = StreamName(text: rows.text(6))
            let event = Event(time: rows.integer(2), type: rows.text(3), shown: [])
            let record = Record(
                stream: stream, version: rows.integer(1), position: rows.integer(0),
                commit: CommitID(text: rows.text(4)), event: event, hash: rows.digest(5) ?? RecordReader.noHash)
            tally.add(record, isErasable: stream.isErasable)
        }
        tally.position = try lastPosition()
        return tally
    }
}
