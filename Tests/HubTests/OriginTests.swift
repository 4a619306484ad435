import Testing
import Transport
import WebProtocols

@testable import Hub

@Suite("Origins and hosts") struct OriginTests {
    @Test(
        "an address is a scheme and a host",
        arguments: [
            ("https://play.example.org", "https://play.example.org"), ("http://a:1/", "http://a:1"),
            ("HTTPS://A.b", "https://a.b"), ("http://[::1]:80", "http://[::1]"), ("https://a:443/", "https://a"),
            ("http://a:443", "http://a:443"),
            ("https://a/b", nil), ("ftp://a", nil), ("a.example", nil), ("https://", nil), ("https://u@a", nil),
            ("https://a:0", nil), ("https://a:", nil), ("https://a:+1", nil), ("https://a:65536", nil),
            ("https://[]", nil), ("https://[::1", nil), ("https://[::1]a", nil), ("https://a b", nil),
            ("https://a\"", nil), ("https://é", nil), ("https://a?b", nil), ("https://a//", nil),
            ("https://" + String(repeating: "a", count: 254), nil),
        ])
    func origins(row: (text: String, url: String?)) { #expect(WebOrigin(row.text)?.description == row.url) }

    private func options(_ change: (inout HubOptions) -> Void) -> HubOptions {
        var options = HubOptions(transport: TransportOptions(addresses: []))
        change(&options)
        return options
    }

    private func head(_ fields: HeaderFields, path: String = "/ws/lobby") throws -> RequestHead {
        try RequestHead(method: "GET", target: path, headers: fields)
    }

    private static let other = ["https://other.example", "https://third.example:8443"]

    @Test(
        "a page may open WebSockets of its own site, or of one that the operator allows",
        arguments: [
            // Allowed origins besides the hub's own, the requested host, the page's origin, and whether that is
            // allowed.
            ([], "a.example", nil, true), ([], "a.example", "https://a.example", true),
            ([], "a.example", "http://a.example", true), ([], "A.example:443", "https://a.EXAMPLE", true),
            ([], "a.example:8080", "http://a.example:8080", true), ([], "[::1]:8080", "http://[::1]:8080", true),
            ([], "a.example", "https://b.example", false), ([], "a.example", "https://a.example:8443", false),
            ([], "a.example:8080", "http://a.example", false), ([], "a.example", "null", false),
            ([], "a.example", "", false), ([], "a.example", "https://a.example, https://a.example", false),
            ([], "a.example", "https://a.example.evil.example", false), ([], "", "https://", false),
            ([], "a.example", "chrome-extension://a.example", false),
            ([], "inner:8080", "https://play.example", true), ([], "inner:8080", "http://play.example", false),
            (other, "a.example", nil, true), (other, "a.example", "https://other.example", true),
            (other, "a.example", "https://third.example:8443", true),
            (other, "a.example", "http://other.example", false),
            (other, "a.example", "https://a.example", false), (other, "a.example", "https://play.example", true),
        ] as [([String], String, String?, Bool)])
    func origin(row: (listed: [String], host: String, origin: String?, isAllowed: Bool)) throws {
        let options = options {
            $0.publicURL = WebOrigin("https://play.example")
            if !row.listed.isEmpty { $0.origins = .listed(row.listed.compactMap { WebOrigin($0) }) }
        }
        var fields: HeaderFields = ["Host": row.host]
        if let origin = row.origin { fields.append("Origin", origin) }
        let head = try head(fields)
        if row.isAllowed { return try options.checkOrigin(of: head) }
        let error = #expect(throws: RequestError.self) { try options.checkOrigin(of: head) }
        #expect(error?.response.status == 403)
        // If any is allowed, this one is.
        try self.options { $0.origins = .any }.checkOrigin(of: head)
    }

    @Test(
        "the hub answers to its names",
        arguments: [
            ("a.example", "/", true), ("A.Example:8080", "/", true), ("[::1]:8080", "/", true), ("[::1]", "/", true),
            ("play.example", "/", true), ("b.example", "/", false), ("b.example", "/metrics", false),
            ("", "/", false), ("::1", "/", false), ("a.example.evil.example", "/", false),
            ("10.0.0.1:8080", "/healthz", true), ("10.0.0.1", "/readyz", true), ("10.0.0.1", "/healthz/", false),
        ])
    func host(row: (host: String, path: String, isKnown: Bool)) throws {
        let options = options {
            $0.publicURL = WebOrigin("https://play.example")
            $0.hostNames = ["a.example", "[::1]"]
        }
        let head = try head(["Host": row.host], path: row.path)
        if row.isKnown { return try options.checkHost(of: head) }
        let error = #expect(throws: RequestError.self) { try options.checkHost(of: head) }
        #expect(error?.response.status == 421)
    }
}
