/// The place of a log, as its operator writes it: `sqlite:FOLDER` or `postgresql://USER@HOST:PORT/DATABASE`.
public enum LogAddress: Sendable, Equatable {
    case sqlite(folder: String)
    /// In libpq's syntax (PostgreSQL's manual, section 34.1.1.2). It may contain a password: use `shown` for messages.
    case postgreSQL(String)

    /// Nil if `text` is neither.
    public init?(_ text: String) {
        for scheme in ["postgresql://", "postgres://"] where text.hasPrefix(scheme) {
            self = .postgreSQL(text)
            return
        }
        guard text.hasPrefix("sqlite:") else { return nil }
        let path = text.dropFirst(7)
        // With an empty host, as in URLs of files (RFC 8089).
        let folder = path.hasPrefix("///") ? path.dropFirst(2) : path
        guard !folder.isEmpty, !folder.hasPrefix("//") else { return nil }
        self = .sqlite(folder: String(folder))
    }

    /// For messages, without user and password.
    public var shown: String {
        switch self {
        case .sqlite(let folder): folder
        // If libpq cannot parse it, there may be a password anywhere in it.
        case .postgreSQL(let text): (try? DatabaseAddress(text))?.shown ?? "the address given"
        }
    }

    /// The `sslmode` of a remote log if it leaves the server's identity unproven; otherwise nil.
    public var weakMode: String? {
        guard case .postgreSQL(let text) = self else { return nil }
        return (try? DatabaseAddress(text))?.protection.weakMode
    }

    /// Throws `cannotOpen` if there is no log, `notALog` if there is something else.
    public func openReader() throws(EventLogError) -> any LogReader {
        switch self {
        case .sqlite(let folder): try SQLiteLogReader(folder: folder)
        case .postgreSQL(let address): try PostgreSQLLogReader(address: address)
        }
    }
}
