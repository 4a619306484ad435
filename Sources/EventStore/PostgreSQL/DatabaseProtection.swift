import Glibc

/// How connections to a database are protected on their way (PostgreSQL's manual, section 34.19). What libpq takes
/// where nothing is said, `prefer`, is no protection: anyone in between reads everything, or answers in the server's
/// place.
struct DatabaseProtection: Sendable {
    /// What libpq is told ahead of the address: settings of the same name there count instead.
    let settings: [(keyword: String, value: String)]
    /// A mode that was asked for and that does not prove which server answers; nil where the server proves itself, or
    /// is on this machine.
    let weakMode: String?

    /// Proves that the server has a certificate for its name by an authority that is trusted.
    private static let strongMode = "verify-full"
    /// Where systems keep the authorities that they trust, in one file.
    private static let systemAuthorities = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// - Parameters:
    ///   - said: what the address says, by keyword.
    ///   - environment: libpq's own variables, which hold where the address says nothing.
    init(
        _ said: [String: String],
        environment: (String) -> String? = { name in getenv(name).map { String(cString: $0) } },
        isThere: (String) -> Bool = { access($0, R_OK) == 0 }
    ) {
        let hosts = said["host"] ?? said["hostaddr"] ?? environment("PGHOST") ?? ""
        guard hosts.split(separator: ",").contains(where: { !Self.isOnThisMachine($0) }) else {
            (settings, weakMode) = ([], nil)
            return
        }
        let mode = said["sslmode"] ?? environment("PGSSLMODE")
        weakMode = mode == Self.strongMode ? nil : mode
        var settings: [(keyword: String, value: String)] = mode == nil ? [("sslmode", Self.strongMode)] : []
        let isNamed = said["sslrootcert"] != nil || environment("PGSSLROOTCERT") != nil
        let own = environment("HOME").map { $0 + "/.postgresql/root.crt" }
        let isFound = isNamed || own.map(isThere) == true
        if weakMode == nil, !isFound, let file = Self.systemAuthorities.first(where: isThere) {
            settings.append(("sslrootcert", file))
        }
        self.settings = settings
    }

    private static func isOnThisMachine(_ host: Substring) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
