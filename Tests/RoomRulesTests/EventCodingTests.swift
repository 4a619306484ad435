import Games
import ProtocolOracles
import Records
import Testing

@testable import JSON
@testable import RoomRules

@Suite("Events as bytes") struct EventCodingTests {
    @Test("finds out without reading whether an event's fields read back as they were")
    func readsBack() throws {
        let deep = { (depth: Int) in (1..<depth).reduce(Value.integer(0)) { value, _ in .list([value]) } }
        let many = { (count: Int) in Fields((0..<count).map { ("n\($0)", .null) }) }
        // The object, `v`, `t` and `type`, the list, and its values.
        let long = { (count: Int) in Fields([("list", .list(Array(repeating: .null, count: count - 5)))]) }
        let cases: [(Fields, Bool)] = [
            ([:], true), (["a": 1, "b": .list(["c", 2, .null, true])], true), (["a": .object(["a": 1])], true),
            (Fields([("a", 1), ("a", 2)]), false), (["b": .list([.object(Fields([("a", 1), ("a", 1)]))])], false),
            // The same letter in two encodings.
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
            // `.nan` is not equal to itself, and is read as null.
            #expect((EventCoding.decode(written, version: 7) == .game(step)) == isFaithful, "\(fields.names)")
            #expect(
                EventCoding.isFaithful(written, to: .game(step), version: 7, more: false) == isFaithful,
                "\(fields.names)")
        }
        // An event that others follow has one value more.
        for (count, isFaithful) in [(JSONReader.fieldLimit - 4, true), (JSONReader.fieldLimit - 3, false)] {
            let step = GameStep(type: "step", fields: many(count))
            let written = EventCoding.encode(.game(step), version: 7, at: 5, more: true)
            #expect((EventCoding.decode(written, version: 7) == .game(step)) == isFaithful)
            #expect(EventCoding.isFaithful(written, to: .game(step), version: 7, more: true) == isFaithful)
        }
        for seed in 1...500 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let names = ["a", "b", "v", "more", "\u{e9}", "e\u{301}"]
            let more = Bool.random(using: &random)
            let step = GameStep(
                type: "step",
                fields: Fields(
                    (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                        (names[Int.random(in: 0..<names.count, using: &random)], .random(using: &random))
                    }))
            let written = EventCoding.encode(.game(step), version: 7, at: 5, more: more)
            let isFaithful = EventCoding.decode(written, version: 7) == .game(step)
            #expect(
                EventCoding.isFaithful(written, to: .game(step), version: 7, more: more) == isFaithful, "seed \(seed)")
        }
    }

    @Test(
        "reads an event written by the hub or in another way",
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

    @Test("a game's event with the name of a room's event reads as the room's")
    func calledAsAnother() {
        let event = RoomEvent.game(GameStep(type: SeatFreed.type, fields: ["seat": 0]))
        let written = EventCoding.encode(event, version: 1, at: 5, more: false)
        #expect(EventCoding.decode(written, version: 1) != event)
        #expect(!EventCoding.isFaithful(written, to: event, version: 1, more: false))
    }
}
