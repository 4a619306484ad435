import Records

/// Fills a log file, in one transaction.
final class SQLiteLogFiller: LogFiller {
    private let lock: LogLock
    private let database: Database
    private let addStream: Statement
    private let addRecord: Statement
    private let addErasure: Statement
    private var streams: [StreamName: Int] = [:]

    /// Creates the folder and the file if they are missing.
    init(folder: String) throws(EventLogError) {
        let file = LogFile(folder: folder)
        try file.makeFolder()
        lock = try LogLock(file)
        try file.create()
        database = try file.openToWrite()
        // The file itself must have everything, because an operator may copy a moved log next.
        database.keepsJournal = false
        let count: Int
        do throws(SQLiteError) {
            count = try database.integer("SELECT (SELECT count(*) FROM streams) + (SELECT count(*) FROM erasures)")
            addStream = try database.prepare(RecordWriter.addStreamStatement)
            addRecord = try database.prepare(RecordWriter.addRecordStatement)
            addErasure = try database.prepare(RecordWriter.addErasureStatement)
            try database.execute("BEGIN IMMEDIATE")
        } catch { throw .cannotWrite(reason: error.reason) }
        guard count == 0 else { throw .notEmpty(path: file.path) }
        // The note of an earlier log.
        file.dropTally()
    }

    func add(_ records: [Record]) throws(EventLogError) {
        try writing { () throws(SQLiteError) in
            for record in records {
                let stream =
                    if let known = streams[record.stream] { known } else { try addStream.insert(record.stream) }
                streams[record.stream] = stream
                addRecord.bind(record, stream: stream)
                try addRecord.run()
            }
        }
    }

    func add(_ erasures: [Erasure]) throws(EventLogError) {
        try writing { () throws(SQLiteError) in
            for erasure in erasures {
                addErasure.bind(erasure.position, at: 1)
                addErasure.bind(erasure.head.bytes, at: 2)
                try addErasure.run()
            }
        }
    }

    func finish(lastPosition position: Int) throws(EventLogError) {
        try writing { () throws(SQLiteError) in
            try database.execute("INSERT INTO marks (name, value) VALUES ('position', \(position))")
            try database.execute("\(LogFile.fillCommits); COMMIT")
        }
    }

    private func writing(_ body: () throws(SQLiteError) -> Void) throws(EventLogError) {
        do throws(SQLiteError) { try body() } catch { throw .cannotWrite(reason: error.reason) }
    }
}
