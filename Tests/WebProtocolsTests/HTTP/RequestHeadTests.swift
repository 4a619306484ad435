import Testing

@testable import WebProtocols

@Suite("Targets, RFC 9112 section 3.2")
struct RequestHeadTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let target: String
        let path: String
        var query: String?
        var authority = "host"
        var method = "GET"
        var testDescription: String { target }
    }

    @Test(
        "A target is parsed",
        arguments: [
            Case(target: "/", path: "/"),
            Case(target: "/room/ABC", path: "/room/ABC"),
            Case(target: "/a?b=c", path: "/a", query: "b=c"),
            Case(target: "/a?", path: "/a", query: ""),
            Case(target: "/a?b?c", path: "/a", query: "b?c"),
            Case(target: "/%41%c3%a4%2F..", path: "/Aä/.."),
            Case(target: "//a/../b", path: "//a/../b"),
            Case(target: "/a+b", path: "/a+b"),
            Case(target: "/%2541", path: "/%41"),
            Case(target: "http://other:81/a?b", path: "/a", query: "b", authority: "other:81"),
            Case(target: "HTTPS://other", path: "/", authority: "other"),
            Case(target: "http://[::1]:80?b", path: "/", query: "b", authority: "[::1]:80"),
            Case(target: "*", path: "*", method: "OPTIONS"),
        ])
    func takesApart(_ row: Case) throws {
        let head = try RequestHead(method: row.method, target: row.target, headers: ["Host": "host"])
        #expect(head.path == row.path)
        #expect(head.query == row.query)
        #expect(head.authority == row.authority)
        #expect(head.target == row.target)
    }

    @Test(
        "A target is refused",
        arguments: [
            "", "a", "*", "?a", "/a#b", "/ä", "/a b", "/\u{7F}", "/%", "/%4", "/%4g", "/%g4", "/%00", "/%0a", "/%7f",
            "/%ff",
            "/%c3", "/a?%", "/a?%zz", "http:/a", "http://", "http:///a", "http://a@b/", "ftp://a/", "example.com:443",
        ])
    func refuses(target: String) {
        #expect(throws: HTTPViolation.malformedTarget) { try RequestHead(method: "GET", target: target) }
    }

    @Test(
        "The items of a query are decoded as forms are written",
        arguments: [
            ("/", []), ("/?", []), ("/?a=1&b=2", ["a", "1", "b", "2"]), ("/?a", ["a", ""]), ("/?a=b=c", ["a", "b=c"]),
            ("/?a+b=%2B+%c3%a4", ["a b", "+ ä"]), ("/?&a=&&=b", ["a", "", "", "b"]), ("/?a=%ff", ["a", "\u{FFFD}"]),
            ("/?a=1&a=2", ["a", "1", "a", "2"]),
        ] as [(String, [String])])
    func queryItems(target: String, items: [String]) throws {
        let head = try RequestHead(method: "GET", target: target)
        #expect(head.queryItems.flatMap { [$0.name, $0.value] } == items)
    }

    @Test("The first item with a name gives its value")
    func queryValue() throws {
        let head = try RequestHead(method: "GET", target: "/?a=1&b=2&a=3")
        #expect(head.queryValue("a") == "1")
        #expect(head.queryValue("c") == nil)
    }

    @Test(
        "The version and the Connection field decide whether a connection is kept (section 9.3)",
        arguments: [
            (1, nil, true), (1, "close", false), (1, "Close", false), (1, "foo, close", false), (1, "keep-alive", true),
            (0, nil, false), (0, "keep-alive", true), (0, "Keep-Alive, foo", true), (0, "keep-alive, close", false),
        ] as [(Int, String?, Bool)])
    func keepsAlive(minorVersion: Int, connection: String?, keepsAlive: Bool) throws {
        var headers = HeaderFields()
        if let connection { headers.append("Connection", connection) }
        let head = try RequestHead(method: "GET", target: "/", minorVersion: minorVersion, headers: headers)
        #expect(head.keepsAlive == keepsAlive)
    }
}

@Suite("Fields, RFC 9110 section 5")
struct HeaderFieldsTests {
    @Test("Names are found in any case, and several values are joined")
    func lookup() {
        let fields: HeaderFields = ["Accept": "a, b", "X": "1", "accept": "c"]
        #expect(fields["ACCEPT"] == "a, b, c")
        #expect(fields.all("Accept") == ["a, b", "c"])
        #expect(fields.members(of: "accept") == ["a", "b", "c"])
        #expect(fields["Y"] == nil)
        #expect(fields.members(of: "Y").isEmpty)
    }

    @Test("Empty members of lists do not count (section 5.6.1)")
    func emptyMembers() {
        let fields: HeaderFields = ["A": ", a ,, \tb\t,"]
        #expect(fields.members(of: "A") == ["a", "b"])
        #expect(fields.contains("B", in: "a"))
        #expect(!fields.contains("a b", in: "A"))
    }

    @Test("Setting a field replaces all of its name")
    func set() {
        var fields: HeaderFields = ["A": "1", "B": "2", "a": "3"]
        fields.set("a", "4")
        #expect(fields == ["B": "2", "a": "4"])
    }

    @Test(
        "A value of two lines, or with a control, is not valid",
        arguments: ["a\r\nB: c", "a\nb", "a\rb", "a\0b", "\u{7F}"])
    func invalid(value: String) {
        #expect(!HeaderFields.isValid(value: value))
    }

    @Test("A value of two lines cannot be put in")
    func injection() async {
        await #expect(processExitsWith: .failure) {
            var fields = HeaderFields()
            fields.append("Location", "/\r\nSet-Cookie: a=b")
        }
    }

    @Test("A name that is not a token cannot be put in")
    func badName() async {
        await #expect(processExitsWith: .failure) {
            var fields = HeaderFields()
            fields.append("A: b\r\nC", "d")
        }
    }
}
