// Removes files by C calls; what leaves this file is a value, or an owner that closes what it opened.
import Glibc

/// The file that holds projections.
struct ProjectionsFile: Sendable {
    let path: String
    let system: String?

    /// Changed with the layout below: a file of another layout is dropped.
    static let schemaVersion = 4

    private static let schema = """
        CREATE TABLE position (reached INTEGER NOT NULL) STRICT;
        INSERT INTO position VALUES (0);
        CREATE TABLE players (
            folded TEXT PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, token_hash TEXT NOT NULL, head BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX players_by_id ON players (id);
        CREATE INDEX players_by_token ON players (token_hash);
        CREATE INDEX players_by_head ON players (head);
        CREATE TABLE rooms (
            code TEXT PRIMARY KEY, version INTEGER NOT NULL, opener TEXT NOT NULL, opened INTEGER NOT NULL,
            is_public INTEGER NOT NULL, is_open INTEGER NOT NULL, deadline INTEGER, changed INTEGER NOT NULL,
            summary BLOB NOT NULL
        ) STRICT;
        CREATE INDEX rooms_by_deadline ON rooms (deadline, code) WHERE deadline IS NOT NULL;
        CREATE INDEX rooms_public ON rooms (changed DESC, code) WHERE is_open = 1 AND is_public = 1;
        CREATE INDEX rooms_by_opener ON rooms (opener, opened DESC, code);
        \(ResultRows.schema)
        PRAGMA user_version = \(schemaVersion);
        """

    /// Opens the file; drops what cannot be used and begins anew.
    func open() throws(EventLogError) -> ProjectionRows {
        if let existing = try? openExisting() { return existing }  // Whatever is wrong with it, it can be done without.
        drop()
        do throws(SQLiteFailure) {
            let database = try openDatabase(.create)
            try database.execute("BEGIN; \(ProjectionsFile.schema) COMMIT;")
            return try ProjectionRows(database)
        } catch {
            throw .cannotOpen(path: path, reason: error.reason)
        }
    }

    func drop() {
        for end in ["", "-wal", "-shm", "-journal"] { unlink(path + end) }
    }

    private func openExisting() throws(SQLiteFailure) -> ProjectionRows? {
        let database = try openDatabase(.readWrite)
        guard try database.integer("PRAGMA user_version") == ProjectionsFile.schemaVersion else { return nil }
        // Stops at the first damage; a second for a million rows.
        guard try database.text("PRAGMA quick_check(1)") == "ok" else { return nil }
        return try ProjectionRows(database)
    }

    /// Without a sync for each transaction: a power cut loses the newest, never a part of one, and the log has them
    /// all. Changes are written at the COMMIT alone (no spills), so that on a full disk what precedes it can be done.
    private func openDatabase(_ access: Database.Access) throws(SQLiteFailure) -> Database {
        let database = try Database(path: path, access: access, system: system)
        try database.execute(
            """
            PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
            PRAGMA cache_spill = OFF; PRAGMA secure_delete = ON;
            """)
        return database
    }
}

/// The rows, through one connection.
final class ProjectionRows {
    private let database: Database
    private let setPosition: Statement
    private let getPosition: Statement
    private let setPlayer: Statement
    private let erasePlayer: Statement
    private let setRoom: Statement
    private let playerByID: Statement
    private let playerByToken: Statement
    private let dueRooms: Statement
    private let publicRooms: Statement
    private let openedRooms: Statement
    private let results: ResultRows

    fileprivate init(_ database: Database) throws(SQLiteFailure) {
        self.database = database
        setPosition = try database.prepare("UPDATE position SET reached = ?1")
        getPosition = try database.prepare("SELECT reached FROM position")
        setPlayer = try database.prepare(
            "INSERT OR REPLACE INTO players (folded, id, name, token_hash, head) VALUES (?1, ?2, ?3, ?4, ?5)")
        erasePlayer = try database.prepare("DELETE FROM players WHERE head = ?1")
        let columns = "code, version, opener, opened, is_public, is_open, deadline, changed, summary"
        setRoom = try database.prepare(
            """
            INSERT INTO rooms (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (code) DO UPDATE SET version = excluded.version, opener = excluded.opener,
                opened = excluded.opened, is_public = excluded.is_public, is_open = excluded.is_open,
                deadline = excluded.deadline, changed = excluded.changed, summary = excluded.summary
            WHERE excluded.version >= version
            """)
        let player = "SELECT id, name, folded, token_hash, head FROM players WHERE"
        playerByID = try database.prepare("\(player) id = ?1 LIMIT 1")
        playerByToken = try database.prepare("\(player) token_hash = ?1 LIMIT 1")
        let room = "SELECT \(columns) FROM rooms WHERE"
        dueRooms = try database.prepare("\(room) deadline >= ?1 AND deadline < ?2 ORDER BY deadline, code LIMIT ?3")
        publicRooms = try database.prepare(
            "\(room) is_open = 1 AND is_public = 1 ORDER BY changed DESC, code LIMIT ?1")
        openedRooms = try database.prepare(
            "\(room) opener = ?1 AND opened >= ?2 ORDER BY opened DESC, code LIMIT ?3")
        results = try ResultRows(database)
    }

    func begin() throws(SQLiteFailure) { try database.execute("BEGIN") }

    func commit() throws(SQLiteFailure) { try database.execute("COMMIT") }

    /// Empties the write-ahead log: what was deleted is to be nowhere.
    func checkpoint() throws(SQLiteFailure) { try database.checkpoint(isThorough: true) }

    /// A failure may have ended the transaction already: then there is nothing to roll back, and that is right.
    func rollBack() { try? database.execute("ROLLBACK") }

    func apply(_ changes: [RowChange], reached position: Int?) throws(SQLiteFailure) {
        for change in changes {
            switch change {
            case .player(let row):
                for (index, text) in [row.folded, row.id, row.name, row.tokenHash].enumerated() {
                    setPlayer.bind(text, at: Int32(index + 1))
                }
                setPlayer.bind(row.head.bytes, at: 5)
                try setPlayer.run()
            case .playerErased(let head):
                erasePlayer.bind(head.bytes, at: 1)
                try erasePlayer.run()
            case .room(let row): try apply(row)
            case .result(let row): try results.apply(row)
            }
        }
        guard let position else { return }
        setPosition.bind(position, at: 1)
        try setPosition.run()
    }

    private func apply(_ row: RoomRow) throws(SQLiteFailure) {
        setRoom.bind(row.code, at: 1)
        setRoom.bind(row.version, at: 2)
        setRoom.bind(row.opener, at: 3)
        setRoom.bind(row.opened, at: 4)
        setRoom.bind(row.isPublic ? 1 : 0, at: 5)
        setRoom.bind(row.isOpen ? 1 : 0, at: 6)
        setRoom.bind(row.deadline, at: 7)
        setRoom.bind(row.changed, at: 8)
        setRoom.bind(row.summary, at: 9)
        try setRoom.run()
    }

    func answer(_ question: ProjectionsThread.Question) throws(SQLiteFailure) -> LogMessage {
        switch question.kind {
        case .position:
            defer { getPosition.reset() }
            return .reached(question.ticket, .success(try getPosition.step() ? getPosition.integer(0) : 0))
        case .players(let ids):
            var rows: [PlayerRow] = []
            for id in ids {
                playerByID.bind(id, at: 1)
                rows += try players(playerByID)
            }
            return .players(question.ticket, .success(rows))
        case .player(let tokenHash):
            playerByToken.bind(tokenHash, at: 1)
            return .players(question.ticket, .success(try players(playerByToken)))
        case .dueRooms(let start, let end, let limit):
            dueRooms.bind(start, at: 1)
            dueRooms.bind(end, at: 2)
            dueRooms.bind(limit, at: 3)
            return .rooms(question.ticket, .success(try rooms(dueRooms)))
        case .publicRooms(let limit):
            publicRooms.bind(limit, at: 1)
            return .rooms(question.ticket, .success(try rooms(publicRooms)))
        case .openedRooms(let player, let start, let limit):
            openedRooms.bind(player, at: 1)
            openedRooms.bind(start, at: 2)
            openedRooms.bind(limit, at: 3)
            return .rooms(question.ticket, .success(try rooms(openedRooms)))
        case .results(let query): return .results(question.ticket, .success(try results.answer(query)))
        }
    }

    private func players(_ statement: Statement) throws(SQLiteFailure) -> [PlayerRow] {
        var rows: [PlayerRow] = []
        while try statement.step() {
            // A row whose head is none is damaged: nobody bears it.
            guard let head = statement.digest(4) else { continue }
            rows.append(
                PlayerRow(
                    id: statement.text(0), name: statement.text(1), folded: statement.text(2),
                    tokenHash: statement.text(3), head: head))
        }
        return rows
    }

    private func rooms(_ statement: Statement) throws(SQLiteFailure) -> [RoomRow] {
        var rows: [RoomRow] = []
        while try statement.step() {
            rows.append(
                RoomRow(
                    code: statement.text(0), version: statement.integer(1), opener: statement.text(2),
                    opened: statement.integer(3), isPublic: statement.integer(4) != 0,
                    isOpen: statement.integer(5) != 0, deadline: statement.isNull(6) ? nil : statement.integer(6),
                    changed: statement.integer(7), summary: statement.bytes(8)))
        }
        return rows
    }
}
