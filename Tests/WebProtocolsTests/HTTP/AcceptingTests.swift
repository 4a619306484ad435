import Testing
import WebProtocols

@Suite("Asking for a page, RFC 9110 section 12.5.1") struct AcceptingTests {
    @Test(
        "by clients that name it, and not by those that accept anything",
        arguments: [
            ("text/html", true), ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true),
            ("application/json, TEXT/HTML;level=1;q=0.1", true), ("*/*", false), ("text/*", false), ("", false),
            ("text/html;q=0, */*", false), ("application/json", false), ("text/htmlx", false),
        ])
    func asksForPage(_ value: String, isAsked: Bool) throws {
        var decoder = RequestDecoder(limits: HTTPLimits())
        var offset = 0
        let bytes = Array("GET / HTTP/1.1\r\nHost: x\r\nAccept: \(value)\r\n\r\n".utf8)
        let head = try #require(try decoder.next(bytes.span.bytes, at: &offset)).head
        #expect(head.asksForPage == isAsked)
    }
}

@Suite("Asking for a language, RFC 9110 section 12.5.4") struct LanguageTests {
    @Test(
        "by its weight, or else by its place",
        arguments: [
            ("de", "de"), ("de-AT, en;q=0.5", "de"), ("fr, en;q=0.2, DE;q=0.3", "de"), ("en, de", "en"),
            ("de;q=0, en;q=0.1", "en"), ("fr", nil), ("*", nil), ("", nil), ("de;q=nan", nil), ("dex", nil),
            ("de;q=x", nil),
        ])
    func chooses(_ value: String, language: String?) throws {
        let head = try RequestHead(method: "GET", target: "/", headers: ["Accept-Language": value])
        #expect(head.language(of: ["en", "de"]) == language)
    }

    @Test(
        "Chinese in simplified characters is not offered for the traditional ones",
        arguments: [
            ("zh-CN", "zh"), ("zh", "zh"), ("zh-Hans-HK", "zh"), ("zh-TW", nil), ("zh-Hant", nil), ("zh-HK, de", "de"),
            ("zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", "en"), ("zh-TW, zh-CN;q=0.9, en;q=0.8", "zh"), ("ZH-hant-tw", nil),
        ])
    func choosesAmongScripts(_ value: String, language: String?) throws {
        let head = try RequestHead(method: "GET", target: "/", headers: ["Accept-Language": value])
        #expect(head.language(of: ["en", "de", "zh"]) == language)
    }
}
