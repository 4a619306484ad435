import Testing
import Transport
import WebProtocols

@testable import Hub

@Suite("From plain HTTP to TLS") struct SecureRedirectTests {
    /// A request in plain HTTP and where it is redirected; nil for nowhere.
    struct Row: Sendable, CustomTestStringConvertible {
        var host = "play.example.org"
        var target = "/"
        var port = 443
        var publicURL: String?
        let location: String?

        var testDescription: String { "\(host) \(target) \(port) \(publicURL ?? "")" }
    }

    private func redirect(_ row: Row) throws -> HTTPResponse {
        var options = HubOptions(transport: TransportOptions(addresses: []))
        options.publicURL = row.publicURL.flatMap { WebOrigin($0) }
        let method = row.target == "*" ? "OPTIONS" : "POST"
        let headers: HeaderFields = row.host.isEmpty ? [:] : ["Host": row.host]
        let head = try RequestHead(method: method, target: row.target, headers: headers)
        return try options.redirect(head, toPort: row.port)
    }

    @Test(
        "a request is redirected to the same address over TLS",
        arguments: [
            Row(target: "/room/abc?v=1&w=%20", location: "https://play.example.org/room/abc?v=1&w=%20"),
            Row(host: "Play.Example.org:80", location: "https://play.example.org/"),
            Row(host: "play.example.org:8080", port: 8443, location: "https://play.example.org:8443/"),
            Row(host: "[::1]:8080", port: 8443, location: "https://[::1]:8443/"),
            Row(host: "[::1]", location: "https://[::1]/"),
            Row(target: "http://play.example.org:80?v=1", location: "https://play.example.org/?v=1"),
            Row(target: "http://play.example.org", location: "https://play.example.org/"),
            Row(target: "*", location: "https://play.example.org/"),
            // Not another host, for any path.
            Row(target: "//evil.example/", location: "https://play.example.org//evil.example/"),
            Row(
                target: "/a", port: 8443, publicURL: "https://public.example/", location: "https://public.example/a"),
            Row(host: "evil.example", publicURL: "https://public.example", location: "https://public.example/"),
            Row(publicURL: "http://public.example", location: "https://play.example.org/"),
        ])
    func redirects(row: Row) throws {
        let answer = try redirect(row)
        #expect(answer.status == 308)
        #expect(answer.headers["Location"] == row.location)
    }

    @Test(
        "an invalid host is not redirected",
        arguments: ["", "user@evil.example", "a b", "evil.example/", "a:0", "a:b", "\\evil.example", "[x]"].map {
            Row(host: $0, location: nil)
        })
    func nowhere(row: Row) throws {
        let error = #expect(throws: RequestError.self) { try redirect(row) }
        #expect(error?.response.status == 400)
    }

    @Test(
        "a request for another host is not redirected, but counts as a request",
        arguments: [([], 308), (["localhost"], 308), (["play.example.org"], 421)] as [([String], Int)])
    func foreignHost(hostNames: [String], status: Int) {
        let hub = ScriptedHub(hostNames: hostNames)
        let count = hub.counters.requests.value
        let answer = hub.request("GET", "/", from: .at("192.0.2.1", door: .redirect(toPort: 443)))
        #expect(answer.status == status)
        #expect(answer.headers["Location"] == (status == 308 ? "https://localhost/" : nil))
        #expect(hub.counters.requests.value == count + 1)
    }
}
