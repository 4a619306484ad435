// Has libpq take a connection string apart by C pointers; what leaves this file is a value.
import CPostgreSQL

/// Where a PostgreSQL database is, and the schema in it. Holds a password, maybe: nothing of it is shown but `shown`.
struct DatabaseAddress: Sendable {
    /// What libpq is given (PostgreSQL's manual, section 34.1.1).
    let text: String
    let schema: String
    /// As messages and logs may show it: without a user or a password.
    let shown: String
    /// What its connections are protected by where the address, or the environment, does not say.
    let protection: DatabaseProtection
    private let password: String

    /// The schema that everything is in, unless a test wants one of its own.
    static let usualSchema = "flipside"

    /// Throws `cannotOpen` where libpq makes nothing of `text`, or takes a part of a password for something else. What
    /// libpq says of it is not told: it quotes passwords.
    init(_ text: String, schema: String = usualSchema) throws(EventLogError) {
        guard DatabaseAddress.hasPlainUser(text) else {
            throw .cannotOpen(
                path: "the address given",
                reason: "there is an `@` too many, or after a slash: in a user or a password write %40 for an `@` and "
                    + "%2F for a slash")
        }
        guard let settings = DatabaseAddress.settings(of: text) else {
            throw .cannotOpen(
                path: "the address given",
                reason: "it is no address of a PostgreSQL database: one reads postgresql://USER@HOST:PORT/DATABASE")
        }
        // Without a host, the password is where a port would be.
        guard settings["port"]?.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ",") }) ?? true else {
            throw .cannotOpen(
                path: "the address given",
                reason: "its port is no number: an address reads postgresql://USER@HOST:PORT/DATABASE")
        }
        self.text = text
        self.schema = schema
        password = settings["password"] ?? ""
        let host = settings["host"] ?? settings["hostaddr"] ?? ""
        // The folder of a socket stands behind the name, as in an address that libpq takes.
        let isFolder = host.utf8.first == UInt8(ascii: "/")
        // Of several hosts each may have its own.
        let port = settings["port"].flatMap { $0.contains(where: \.isNumber) ? ":" + $0 : nil } ?? ""
        protection = DatabaseProtection(settings)
        shown =
            "postgresql://" + (isFolder ? "" : host + port) + "/" + (settings["dbname"] ?? "")
            + (isFolder ? "?host=" + host : "")
    }

    /// Whether the only `@`, if there is one, ends the user. libpq takes the first for that, unless there is a slash
    /// before it: the rest of a password with one in it would be a host, or a database.
    private static func hasPlainUser(_ text: String) -> Bool {
        let address = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        guard let at = address.firstIndex(of: "@") else { return true }
        return !address[..<at].contains("/") && !address[address.index(after: at)...].contains("@")
    }

    /// `reason` without the password, should the library or the server have put it in; on one line.
    func redact(_ reason: String) -> String {
        let line = reason.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return password.isEmpty ? line : line.replacing(password, with: "…")
    }

    /// What libpq reads in `text`; nil where it makes nothing of it.
    static func settings(of text: String) -> [String: String]? {
        var complaint: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &complaint) else {
            PQfreemem(complaint)
            return nil
        }
        defer { PQconninfoFree(options) }
        var settings: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { settings[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return settings
    }
}
