import Glibc

/// How connections to a database are protected on the way (PostgreSQL's manual, section 34.19). libpq's default,
/// `prefer`, is no protection: anyone in between can read everything, or answer in the server's place.
struct DatabaseProtection: Sendable {
    /// Given to libpq ahead of the address, whose settings of the same name override them.
    let settings: [(keyword: String, value: String)]
    /// The requested mode if it does not prove which server answers; nil if the server proves itself, or is on this
    /// machine.
    let weakMode: String?

    /// Proves that the server has a certificate for its name from a trusted authority.
    private static let strongMode = "verify-full"
    /// Where systems keep their trusted authorities, in one file.
    private static let systemAuthorities = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// - Parameters:
    ///   - said: the settings of the address, by keyword.
    ///   - environment: libpq's own variables, which apply where the address says nothing.
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
