import EventStore
import Games
import Testing

@testable import Hub

@Suite("JSON, RFC 8259") struct JSONTests {
    @Test(
        "is read as it says",
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
        "is refused with the reason",
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

    @Test("bytes that are not UTF-8 are refused")
    func notUTF8() {
        #expect(throws: JSONViolation(reason: .notUTF8, offset: 0)) { try JSONReader.read([0x22, 0xFF, 0x22]) }
    }

    @Test("what is written is read as it was, whatever it is", arguments: 1...200 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        let random = SeededRandom(seed)
        let fields: Fields = ["value": anyValue(random, depth: 0)]
        #expect(try JSONReader.read(JSONWriter.bytes(fields)) == .object(fields))
    }

    @Test("whether an event's fields read back as they were is told without reading them")
    func readsBack() throws {
        let deep = { (depth: Int) in (1..<depth).reduce(Value.integer(0)) { value, _ in .list([value]) } }
        let many = { (count: Int) in Fields((0..<count).map { ("n\($0)", .null) }) }
        // The object, `v`, `t` and `type`, the list, and its values.
        let long = { (count: Int) in Fields([("list", .list(Array(repeating: .null, count: count - 5)))]) }
        let cases: [(Fields, Bool)] = [
            ([:], true), (["a": 1, "b": .list(["c", 2, .null, true])], true), (["a": .object(["a": 1])], true),
            (Fields([("a", 1), ("a", 2)]), false), (["b": .list([.object(Fields([("a", 1), ("a", 1)]))])], false),
            // The same letter, written in two ways.
            (Fields([("\u{e9}", 1), ("e\u{301}", 1)]), false),
            (["v": 1], false), (["type": "x"], false), (["more": true], false), (["more": 1], false),
            (["a": .object(["v": 1])], true),
            (["a": .fraction(0.5)], true), (["a": .fraction(2)], false), (["a": .fraction(-0.0)], false),
            (["a": .fraction(0x1p53)], false), (["a": .fraction(0x1p54)], true), (["a": .fraction(.nan)], false),
            (["a": .fraction(.infinity)], false), (["a": .fraction(.leastNonzeroMagnitude)], true),
            (["a": deep(JSONReader.depthLimit - 1)], true), (["a": deep(JSONReader.depthLimit)], false),
            (many(JSONReader.fieldLimit - 3), true), (many(JSONReader.fieldLimit - 2), false),
            (["a": .object(many(JSONReader.fieldLimit))], true),
            (["a": .object(many(JSONReader.fieldLimit + 1))], false),
            (long(JSONReader.valueLimit), true), (long(JSONReader.valueLimit + 1), false),
        ]
        for (fields, isFaithful) in cases {
            let step = GameStep(type: "step", fields: fields)
            let written = EventCoding.encode(.game(step), version: 7, at: 5, more: false)
            // `.nan` differs from itself: it is read as null.
            #expect((EventCoding.decode(written, version: 7) == .game(step)) == isFaithful, "\(fields.names)")
            #expect(
                EventCoding.isFaithful(written, to: .game(step), version: 7, more: false) == isFaithful,
                "\(fields.names)")
        }
        // One that others follow has a value more.
        for (count, isFaithful) in [(JSONReader.fieldLimit - 4, true), (JSONReader.fieldLimit - 3, false)] {
            let step = GameStep(type: "step", fields: many(count))
            let written = EventCoding.encode(.game(step), version: 7, at: 5, more: true)
            #expect((EventCoding.decode(written, version: 7) == .game(step)) == isFaithful)
            #expect(EventCoding.isFaithful(written, to: .game(step), version: 7, more: true) == isFaithful)
        }
        for seed in 1...500 as ClosedRange<UInt64> {
            let random = SeededRandom(seed)
            let names = ["a", "b", "v", "more", "\u{e9}", "e\u{301}"]
            let more = random.number(below: 2) == 0
            let step = GameStep(
                type: "step",
                fields: Fields(
                    (0..<random.number(below: 4)).map { _ in
                        (names[random.number(below: names.count)], anyValue(random, depth: 0))
                    }))
            let written = EventCoding.encode(.game(step), version: 7, at: 5, more: more)
            let isFaithful = EventCoding.decode(written, version: 7) == .game(step)
            #expect(
                EventCoding.isFaithful(written, to: .game(step), version: 7, more: more) == isFaithful, "seed \(seed)")
        }
    }

    @Test(
        "an event says the same, written as the hub writes it or otherwise",
        arguments: [
            (#"{"v":7,"t":5,"type":"step"}"#, [:]), (#"{"v":7,"t":5,"type":"step","a":1}"#, ["a": 1]),
            (#"{ "v":7,"t":5,"type":"step","a":1}"#, ["a": 1]), (#"{"v":7,"t":5,"type":"step" , "a":1 } "#, ["a": 1]),
            (#"{"v":7,"t":5,"type":"\u0073tep","a":1}"#, ["a": 1]), (#"{"v":7,"t":5,"type":"step","v":7}"#, [:]),
            (#"{"v":7,"t":5,"type":"step","v":8}"#, nil), (#"{"v":7,"t":5,"type":"step","type":"other"}"#, nil),
            (#"{"v":7,"t":5,"type":"steps"}"#, nil), (#"{"v":70,"t":5,"type":"step"}"#, nil),
            (#"{"v":7,"t":5,"type":"step","a":1,}"#, nil), (#"{"v":7,"t":5,"type":"step","a":1}x"#, nil),
            (#"{"v":7,"t":5,"type":"step","more":true}"#, [:]),
            (#"{"v":7,"t":5,"type":"step","more":true,"a":1}"#, ["a": 1]),
            (#"{"v":7,"t":5,"type":"step", "more":true,"a":1}"#, ["a": 1]),
            (#"{"v":7,"t":5,"type":"step","more":false}"#, nil), (#"{"v":7,"t":5,"type":"step","more":1}"#, nil),
            (#"{"v":7,"t":5,"type":"step","a":1,"more":true}"#, nil),
            (#"{"v":7,"t":5,"type":"step","more":true,"more":false}"#, nil),
            (#"{"v":7,"t":5,"type":"step""#, nil), (#"{"t":5,"v":7,"type":"step"}"#, nil),
        ] as [(String, Fields?)])
    func readsEvent(_ text: String, _ fields: Fields?) {
        let event = Event(time: 5, type: "step", shown: Array(text.utf8))
        #expect(EventCoding.decode(event, version: 7) == fields.map { .game(GameStep(type: "step", fields: $0)) })
    }

    @Test("a game's event that is called as one of the room's own reads as that one")
    func calledAsAnother() {
        let event = RoomEvent.game(GameStep(type: SeatFreed.type, fields: ["seat": 0]))
        let written = EventCoding.encode(event, version: 1, at: 5, more: false)
        #expect(EventCoding.decode(written, version: 1) != event)
        #expect(!EventCoding.isFaithful(written, to: event, version: 1, more: false))
    }

    @Test(
        "random bytes, and JSON with a byte changed, never crash the reader", arguments: 1...200 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        let random = SeededRandom(seed)
        var bytes = JSONWriter.bytes(["value": anyValue(random, depth: 0)])
        for _ in 0..<20 {
            bytes[random.number(below: bytes.count)] = UInt8(random.number(below: 256))
            // Either it is JSON or it is refused: both are right.
            _ = try? JSONReader.read(bytes)
        }
    }

    private func anyValue(_ random: SeededRandom, depth: Int) -> Value {
        switch random.number(below: depth > 3 ? 5 : 7) {
        case 0: .null
        case 1: .bool(random.number(below: 2) == 0)
        case 2: .integer(random.number(below: 1 << 30) - 1 << 29)
        case 3: .fraction(Double(random.number(below: 1 << 30)) / 7 + 0.5)
        case 4:
            .string(String(String.UnicodeScalarView((0..<random.number(below: 9) + 1).map { _ in anyScalar(random) })))
        case 5: .list((0..<random.number(below: 4)).map { _ in anyValue(random, depth: depth + 1) })
        default:
            .object(
                (0..<random.number(below: 4)).reduce(into: Fields()) {
                    $0["f\($1)"] = anyValue(random, depth: depth + 1)
                })
        }
    }

    private func anyScalar(_ random: SeededRandom) -> Unicode.Scalar {
        Unicode.Scalar(UInt32(random.number(below: random.number(below: 2) == 0 ? 128 : 0x11_0000))) ?? "🐧"
    }
}
