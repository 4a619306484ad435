import Testing

@testable import ReferenceModel

@Suite("Reading JSON") struct JSONParserTests {
    @Test(arguments: [
        Row("null", .null), Row(" true ", true), Row("[false]", [false]), Row("0", 0), Row("-12", -12),
        Row("{}", .object([])), Row("[]", .list([])), Row("[ ]", .list([])), Row("\t[1 ,\r\n2]", [1, 2]),
        Row(#"{"a":{"b":[null]},"c":"d"}"#, ["a": ["b": [.null]], "c": "d"]), Row(#""é""#, "é"),
        Row(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), Row(#""\u00e9\ud83d\ude00x""#, "é😀x"),
        Row("", nil), Row("1 2", nil), Row("01", nil), Row("-", nil), Row("1.5", nil), Row("1e3", nil), Row("nul", nil),
        Row("{", nil), Row("{\"a\"}", nil), Row("{\"a\":1,}", nil), Row("[1,]", nil), Row("[1", nil), Row("\"a", nil),
        Row("\"a\nb\"", nil), Row(#""\x""#, nil), Row(#""\u12""#, nil), Row(#""\ud83d""#, nil), Row(#""\ud83dx""#, nil),
        Row("\u{feff}1", nil), Row(String(repeating: "[", count: 100_000), nil),
    ])
    func readsAllOfItOrNothing(_ row: Row) { #expect(JSONParser.read(Array(row.text.utf8)) == row.value) }

    @Test("a text that is no UTF-8 is nothing")
    func badText() { #expect(JSONParser.read([0x22, 0xC3, 0x22]) == nil) }

    @Test("what stands before the start is not read")
    func start() { #expect(JSONParser.read(Array("??[7]".utf8), from: 2) == [7]) }

    @Test("members in another order say the same")
    func order() {
        let (one, other): (JSON, JSON) = (["a": 1, "b": [2]], ["b": [2], "a": 1])
        #expect(one == other)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let value: JSON?
        init(_ text: String, _ value: JSON?) { (self.text, self.value) = (text, value) }
        var testDescription: String { "\(text.prefix(40))" }
    }
}
