// Parses a connection string with libpq through C pointers; only values leave this file.
import CPostgreSQL

/// The place of a PostgreSQL database, and the schema in it. It may have a password, so show only `shown`.
struct DatabaseAddress: Sendable {
    /// The connection string for libpq (PostgreSQL's manual, section 34.1.1).
    let text: String
    let schema: String
    /// For messages and logs: without user and password.
    let shown: String
    /// The protection of its connections if neither the address nor the environment says.
    let protection: DatabaseProtection
    private let password: String

    /// The schema for everything, unless a test uses its own.
    static let usualSchema = "flipside"

    /// Throws `cannotOpen` if libpq cannot parse `text`, or would take a part of a password for something else. libpq's
    /// own message is left out because it quotes passwords.
    init(_ text: String, schema: String = usualSchema) throws(EventLogError) {
        guard DatabaseAddress.hasPlainUser(text) else {
            throw .cannotOpen(
                path: "the address given",
                reason: "it has an extra `@`, or one after a slash. In a user or a password write %40 for `@` and "
                    + "%2F for a slash")
        }
        guard let settings = DatabaseAddress.settings(of: text) else {
            throw .cannotOpen(
                path: "the address given",
                reason: "it is not the address of a PostgreSQL database: postgresql://USER@HOST:PORT/DATABASE")
        }
        // Without a host, the password is where a port would be.
        guard settings["port"]?.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ",") }) ?? true else {
            throw .cannotOpen(
                path: "the address given",
                reason: "its port is not a number. An address looks like postgresql://USER@HOST:PORT/DATABASE")
        }
        self.text = text
        self.schema = schema
        password = settings["password"] ?? ""
        let host = settings["host"] ?? settings["hostaddr"] ?? ""
        // A socket's folder comes after the name, as in addresses that libpq accepts.
        let isFolder = host.utf8.first == UInt8(ascii: "/")
        // Each of several hosts may have its own.
        let port = settings["port"].flatMap { $0.contains(where: \.isNumber) ? ":" + $0 : nil } ?? ""
        protection = DatabaseProtection(settings)
        shown =
            "postgresql://" + (isFolder ? "" : host + port) + "/" + (settings["dbname"] ?? "")
            + (isFolder ? "?host=" + host : "")
    }

    /// Whether there is no `@`, or only one that ends the user. libpq takes the first for that, unless there is a slash
    /// before it. The rest of a password that contains one would become a host or a database.
    private static func hasPlainUser(_ text: String) -> Bool {
        let address = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        guard let at = address.firstIndex(of: "@") else { return true }
        return !address[..<at].contains("/") && !address[address.index(after: at)...].contains("@")
    }

    /// `reason` on one line, without the password in case the library or the server quotes it.
    func redact(_ reason: String) -> String {
        let line = reason.split(whereSeparator: \.isNewline).joined(separator: "; ")
        return password.isEmpty ? line : line.replacing(password, with: "…")
    }

    /// libpq's reading of `text`; nil if it cannot parse it.
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
