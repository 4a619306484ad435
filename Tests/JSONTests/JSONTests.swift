import JSON
import ProtocolOracles
import Testing

@Suite("JSON, RFC 8259") struct JSONTests {
    @Test(
        "reads each kind of value",
        arguments: [
            ("null", Value.null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
            ("-17", .integer(-17)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .fraction(9_223_372_036_854_775_808)), ("1.5", .fraction(1.5)),
            ("1e3", .integer(1000)), ("2.0", .integer(2)), ("-0.0", .integer(0)), ("1e300", .fraction(1e300)),
            ("\"\"", .string("")), ("\"a\\n\\u00e9\\/\\\"\"", .string("a\né/\"")),
            ("\"\\ud83d\\udc27\"", .string("🐧")), ("\"🐧\"", .string("🐧")), ("[]", .list([])),
            ("[1,[2]]", .list([.integer(1), .list([.integer(2)])])), ("{}", .object([:])),
            ("{\"a\":1,\"b\":{\"c\":\"d\"}}", .object(["a": .integer(1), "b": .object(["c": "d"])])),
            ("{\"a\":1,\"a\":2}", .object(["a": .integer(2)])),
        ])
    func reads(_ text: String, _ value: Value) throws { #expect(try JSONReader.read(Array(text.utf8)) == value) }

    @Test(
        "refuses what is not JSON, with the reason",
        arguments: [
            ("", JSONViolation.Reason.unexpectedEnd), (" ", .unexpectedEnd), ("{", .unexpectedEnd),
            ("[1", .unexpectedEnd),
            ("[1,]", .unexpectedByte), ("{\"a\"}", .unexpectedByte), ("{a:1}", .unexpectedByte),
            ("nul", .unexpectedEnd),
            ("nulx", .unexpectedByte), ("01", .badNumber), ("-", .badNumber), ("1.", .badNumber), ("1e", .badNumber),
            ("1e999", .badNumber),
            ("+1", .unexpectedByte), ("\"a", .unexpectedEnd), ("\"\\x\"", .badEscape), ("\"\\ud83d\"", .badEscape),
            ("\"\\udc27\"", .badEscape), ("\"\\ud83d\\u0041\"", .badEscape), ("\"\u{1}\"", .controlCharacter),
            ("1 2", .trailingBytes), ("{}}", .trailingBytes),
        ])
    func refuses(_ text: String, _ reason: JSONViolation.Reason) {
        #expect { try JSONReader.read(Array(text.utf8)) } throws: { ($0 as? JSONViolation)?.reason == reason }
    }

    @Test("refuses bytes that are not UTF-8")
    func notUTF8() {
        #expect(throws: JSONViolation(reason: .notUTF8, offset: 0)) { try JSONReader.read([0x22, 0xFF, 0x22]) }
    }

    @Test("any value that is written is read as the same", arguments: 1...200 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fields: Fields = ["value": .random(using: &random)]
        #expect(try JSONReader.read(JSONWriter.bytes(fields)) == .object(fields))
    }

    @Test(
        "random bytes, and JSON with a byte changed, never crash the reader", arguments: 1...200 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = JSONWriter.bytes(["value": .random(using: &random)])
        for _ in 0..<20 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            // It is either read or refused. Both are right.
            _ = try? JSONReader.read(bytes)
        }
    }
}
