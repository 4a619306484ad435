import Testing

@testable import WebProtocols

@Suite("The client that a proxy names") struct ForwardingTests {
    /// 10.0.0.0/8 is trusted. With a nil `client` no field is believed, and the peer itself is the client.
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [(String, String)]
        var client: String?
        var isNamed = true
        var isTLS: Bool?
        var testDescription: String { fields.map { "\($0): \($1)" }.joined(separator: " | ") }

        init(listed: String, _ client: String?) { (fields, self.client) = ([("X-Forwarded-For", listed)], client) }
        init(_ forwarded: String, _ client: String?, isTLS: Bool? = nil) {
            (fields, self.client, self.isTLS) = ([("Forwarded", forwarded)], client, isTLS)
        }
        init(_ fields: [(String, String)], _ client: String?, isNamed: Bool = true, isTLS: Bool? = nil) {
            (self.fields, self.client, self.isNamed, self.isTLS) = (fields, client, isNamed, isTLS)
        }
    }

    @Test(
        "from the right, the first that is not trusted",
        arguments: [
            Row(listed: "192.0.2.1", "192.0.2.1"), Row(listed: "192.0.2.9, 192.0.2.1", "192.0.2.1"),
            Row(listed: "192.0.2.9,192.0.2.1,10.0.0.2 ,\t10.0.0.1", "192.0.2.1"),
            Row(listed: "10.0.0.3, 10.0.0.2", "10.0.0.3"), Row(listed: "2001:db8::1", "2001:db8::1"),
            Row(listed: "192.0.2.1:4711", "192.0.2.1"), Row(listed: "[2001:db8::1]:4711", "2001:db8::1"),
            Row(listed: "[2001:db8::1]", "2001:db8::1"), Row(listed: "::ffff:10.0.0.2", "10.0.0.2"),
            Row([("X-Forwarded-For", "192.0.2.9"), ("x-forwarded-for", "192.0.2.1")], "192.0.2.1"),
            Row("for=192.0.2.1", "192.0.2.1"), Row("For=\"192.0.2.1:4711\"", "192.0.2.1"),
            Row("for=192.0.2.9;proto=http, for=\"[2001:db8::1]:_x\" ; by=_me;PROTO=HTTPS", "2001:db8::1", isTLS: true),
            Row("for=192.0.2.1;proto=https,for=10.0.0.2;proto=http", "192.0.2.1", isTLS: true),
            Row("by=\"a,b;c\\\"\";for=\"192\\.0.2.1\"", "192.0.2.1"),
            Row([("Forwarded", "for=192.0.2.9"), ("Forwarded", "for=192.0.2.1")], "192.0.2.1"),
        ])
    func walks(row: Row) { check(row) }

    @Test(
        "an unreadable entry ends the chain at the last readable one",
        arguments: [
            Row(listed: "unknown", nil), Row(listed: "192.0.2.1, unknown", nil), Row(listed: "unix:", nil),
            Row(listed: "192.0.2.1, bad, 10.0.0.2", "10.0.0.2"), Row(listed: "192.0.2.1:", nil),
            Row(listed: "192.0.2.1:65536", nil), Row(listed: "[192.0.2.1]", nil), Row(listed: "[::1", nil),
            Row(listed: "[::1]4", nil), Row(listed: "::1%1", nil), Row(listed: "192.0.2.01", nil),
            Row("for=unknown", nil), Row("for=_hidden", nil),
            Row("for=192.0.2.1, for=_hidden, for=10.0.0.2", "10.0.0.2"),
            Row("for=192.0.2.1, proto=https", nil, isTLS: true), Row("for=", nil), Row("for", nil), Row("garbage", nil),
            Row("for=192.0.2.1;for=192.0.2.2", nil), Row("f or=192.0.2.1", nil), Row("for=\"192.0.2.1", nil),
            // A quote that a client leaves open to hide what its proxy writes after it.
            Row("for=192.0.2.1;x=\", for=192.0.2.2", nil), Row("for=192.0.2.1;x=\"\\, for=\"[2001:db8::1]\"", nil),
            Row("for=\"192.0.2.1\"2", nil), Row("for=192.0.2.1\"", nil),
        ])
    func ends(row: Row) { check(row) }

    @Test(
        "of two different fields neither is believed, since a proxy writes only one",
        arguments: [
            Row(
                [("Forwarded", "for=192.0.2.1;proto=https"), ("X-Forwarded-For", "192.0.2.1")], "192.0.2.1", isTLS: true
            ),
            Row([("Forwarded", "for=192.0.2.9"), ("X-Forwarded-For", "192.0.2.1")], nil),
            Row([("Forwarded", "for=unknown"), ("X-Forwarded-For", "192.0.2.1")], nil),
            Row([("Forwarded", "proto=https"), ("X-Forwarded-For", "192.0.2.1")], "192.0.2.1"),
        ])
    func both(row: Row) { check(row) }

    @Test(
        "the last scheme counts",
        arguments: [
            Row([("X-Forwarded-Proto", "https")], nil, isNamed: false, isTLS: true),
            Row([("X-Forwarded-Proto", "https, http")], nil, isNamed: false, isTLS: false),
            Row([("X-Forwarded-Proto", "ftp")], nil, isNamed: false),
            Row([("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-Proto", "HTTPS")], "192.0.2.1", isTLS: true),
            Row([("Forwarded", "for=192.0.2.1"), ("X-Forwarded-Proto", "https")], "192.0.2.1", isTLS: true),
            Row([("Forwarded", ""), ("X-Forwarded-For", " , ")], nil, isNamed: false),
            Row([], nil, isNamed: false),
        ])
    func schemes(row: Row) { check(row) }

    private func check(_ row: Row) {
        var headers = HeaderFields()
        for (name, value) in row.fields { headers.append(name, value) }
        let forwarding = Forwarding(headers) { $0.description.hasPrefix("10.") }
        #expect(forwarding.client?.description == row.client)
        #expect(forwarding.isNamed == row.isNamed)
        #expect(forwarding.isTLS == row.isTLS)
    }
}
