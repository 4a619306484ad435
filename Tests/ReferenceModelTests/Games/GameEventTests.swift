import Testing

@testable import ReferenceModel

@Suite("An event that is held against the one expected") struct GameEventTests {
    private static let scores = [SeatNumber(0, -3), SeatNumber(12, 40)]

    struct Row: Sendable, CustomTestStringConvertible {
        let event: GameEvent
        let text: String
        var testDescription: String { text }
    }

    @Test(
        "is found the same by its bytes alone",
        arguments: [
            Row(event: .turn(seat: 2, deadline: 170), text: #""turn","seat":2,"deadline":170"#),
            Row(event: .turn(seat: 0, deadline: nil), text: #""turn","seat":0"#),
            Row(
                event: .showCard(cell: 3, face: "🦊", seat: 1, bonus: 0),
                text: #""show-card","cell":3,"face":"🦊","seat":1,"bonus":0"#),
            Row(
                event: .match(first: 3, second: 14, seat: 1, scores: scores),
                text: #""match","cells":[3,14],"seat":1,"scores":{"0":-3,"12":40}"#),
            Row(
                event: .hideCard(first: 3, second: nil, scores: scores),
                text: #""hide-card","cells":[3],"scores":{"0":-3,"12":40}"#),
            Row(
                event: .hideCard(first: 3, second: 4, scores: scores),
                text: #""hide-card","cells":[3,4],"scores":{"0":-3,"12":40}"#),
            Row(
                event: .placeDisc(cell: 19, seat: 0, flips: [27]),
                text: #""place-disc","cell":19,"seat":0,"flips":[27]"#),
            Row(event: .dropDisc(cell: 19, seat: 0, line: nil), text: #""drop-disc","cell":19,"seat":0"#),
            Row(event: .pass(seat: 1), text: #""pass","seat":1"#),
            Row(event: .turnExpired(seat: 1), text: #""turn-expired","seat":1"#),
        ])
    func plain(row: Row) throws {
        func isPlain(_ text: String, more: Bool = false) -> Bool {
            row.event.isPlainly(Array(text.utf8), version: 12, time: 99, more: more)
        }
        let text = #"{"v":12,"t":99,"type":\#(row.text)}"#
        #expect(isPlain(text))
        #expect(row.event.difference(from: try #require(JSONParser.read(Array(text.utf8)))) == nil)
        let bytes = Array(text.utf8)
        for cut in 0..<bytes.count {
            #expect(!row.event.isPlainly(Array(bytes[..<cut]), version: 12, time: 99, more: false), "cut at \(cut)")
            var other = bytes
            other[cut] = bytes[cut] == UInt8(ascii: "7") ? UInt8(ascii: "8") : UInt8(ascii: "7")
            #expect(!row.event.isPlainly(other, version: 12, time: 99, more: false), "another byte at \(cut)")
        }
        #expect(!isPlain(text + "}") && !isPlain(text.replacing("99", with: "099a")))
        let followed = text.replacing(/"type":"[^"]*"/, maxReplacements: 1) { $0.output + #","more":true"# }
        #expect(isPlain(followed, more: true) && !isPlain(followed) && !isPlain(text, more: true))
        #expect(Array(followed.utf8).saysMore && !bytes.saysMore)
    }

    @Test(
        "names the first member that differs",
        arguments: [
            (#"{"type":"show-card","cell":3,"face":"a","seat":1}"#, nil),
            (#"{"face":"a","seat":1,"type":"show-card","cell":3,"v":4,"t":5}"#, nil),
            (#"{"type":"show-card","cell":4,"face":"a","seat":1}"#, "cell is 4 instead of 3"),
            (#"{"type":"show-card","cell":3,"face":"b","seat":2}"#, #"face is "b" instead of "a""#),
            (#"{"type":"show-card","cell":3,"face":"a"}"#, "seat is missing, should be 1"),
            (#"{"type":"show-card","cell":3,"face":"a","seat":1,"bonus":5}"#, "bonus is 5, should not be there"),
        ])
    func difference(text: String, found: String?) throws {
        let event = GameEvent.showCard(cell: 3, face: "a", seat: 1, bonus: nil)
        #expect(event.difference(from: try #require(JSONParser.read(Array(text.utf8)))) == found)
    }
}
