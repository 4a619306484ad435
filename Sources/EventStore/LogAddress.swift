/// Where a log is, as its operator writes it: `sqlite:FOLDER` or `postgresql://USER@HOST:PORT/DATABASE`.
public enum LogAddress: Sendable, Equatable {
    case sqlite(folder: String)
    /// As libpq takes it (PostgreSQL's manual, section 34.1.1.2). There may be a password in it: see `shown`.
    case postgreSQL(String)

    /// Nil where it is neither.
    public init?(_ text: String) {
        for scheme in ["postgresql://", "postgres://"] where text.hasPrefix(scheme) {
            self = .postgreSQL(text)
            return
        }
        guard text.hasPrefix("sqlite:") else { return nil }
        let path = text.dropFirst(7)
        // With an empty host, as URLs of files have it (RFC 8089).
        let folder = path.hasPrefix("///") ? path.dropFirst(2) : path
        guard !folder.isEmpty, !folder.hasPrefix("//") else { return nil }
        self = .sqlite(folder: String(folder))
    }

    /// As messages may show it: without a user or a password.
    public var shown: String {
        switch self {
        case .sqlite(let folder): folder
        // One that libpq makes nothing of may have a password anywhere.
        case .postgreSQL(let text): (try? DatabaseAddress(text))?.shown ?? "the address given"
        }
    }

    /// The `sslmode` of a log that is elsewhere, where it leaves open who answers; nil where that is proven.
    public var weakMode: String? {
        guard case .postgreSQL(let text) = self else { return nil }
        return (try? DatabaseAddress(text))?.protection.weakMode
    }

    /// Throws `cannotOpen` where there is no log, `notALog` where there is something else.
    public func openReader() throws(EventLogError) -> any LogReader {
        switch self {
        case .sqlite(let folder): try SQLiteLogReader(folder: folder)
        case .postgreSQL(let address): try PostgreSQLLogReader(address: address)
        }
    }
}
