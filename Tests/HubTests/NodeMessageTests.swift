import Cryptography
import EventStore
import Games
import Testing
import Transport
import WebProtocols

@testable import Cluster
@testable import Hub
@testable import Rooms

@Suite("Several nodes: their messages") struct NodeMessageTests {
    private static let player = "0123456789abcdef"
    private static let text = Array(#"{"type":"say","text":"Grüße, 你好"}"#.utf8)

    private static let messages: [NodeMessage] =
        relayed.map { .relay("abc234", $0) } + [.accountChanged(player), .accountChanged(nil)]

    /// Each kind once, with all that it can hold.
    private static let relayed: [RelayMessage] = [
        .opened(.max, .at("192.0.2.7")),
        .opened(1, Peer(address: IPAddress(bits: .max), isTLS: true, isLimited: false)),
        .hello(2, ClientMessage.Hello(tokenHash: "a1", after: 0, head: SHA256.digest(of: "head"))),
        .hello(2, ClientMessage.Hello(tokenHash: "", after: nil, head: nil)),
        .hello(2, ClientMessage.Hello(tokenHash: nil, after: nil, head: nil)),
        .said(3, text), .said(3, []), .full(4, greeting: 1), .drained(4, greeting: .max), .closed(5),
        .greeting(6, number: 1, [text, text]), .greeting(6, number: 2, []), .answer(7, text), .broadcast(text),
        .paused(8), .servedLast(9, true), .servedLast(9, false), .close(10, .serviceRestart, "elsewhere"),
    ]

    @Test("a message reads back unchanged", arguments: messages.indices)
    func roundTrip(index: Int) throws {
        let message = Self.messages[index]
        #expect(try NodeMessage(message.bytes) == message)
    }

    @Test("each names its recipient: the home, or a relay") func directions() {
        let forHome = Self.relayed.filter(\.isForHome)
        #expect(forHome == Array(Self.relayed.prefix(10)))
        #expect(Self.relayed.filter { $0.connection == nil } == [.broadcast(Self.text)])
    }

    @Test("truncated, extended and unknown messages are refused, with the place", arguments: messages.indices)
    func refuses(index: Int) {
        let bytes = Self.messages[index].bytes
        for count in bytes.indices {
            #expect(throws: NodeMessageViolation.self) { try NodeMessage(Array(bytes.prefix(count))) }
        }
        #expect(throws: NodeMessageViolation(offset: bytes.count, expected: "the end of the message")) {
            try NodeMessage(bytes + [0])
        }
        #expect(throws: NodeMessageViolation(offset: 1, expected: "a kind of message")) {
            try NodeMessage([0] + bytes.dropFirst())
        }
    }

    @Test("no bytes can end the hub", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        let random = SeededRandom(seed)
        for _ in 0..<4_000 {
            var bytes = Self.messages[Int(random.bytes(1)[0]) % Self.messages.count].bytes
            for _ in 0..<3 {
                let place = random.bytes(3)
                bytes[(Int(place[0]) << 8 | Int(place[1])) % bytes.count] = place[2]
            }
            // Writing it again gives the same bytes: every message has one form.
            if let message = try? NodeMessage(bytes) { #expect(message.bytes == bytes) }
        }
    }

    @Test("invalid UTF-8, numbers below 0 and lengths past the end are refused")
    func badParts() {
        var writer = BinaryWriter()
        writer.put([0xFF, 0xFE])
        writer.put(-1)
        var reader = BinaryReader(writer.bytes)
        #expect(throws: NodeMessageViolation(offset: 6, expected: "text in UTF-8")) { try reader.text() }
        #expect(throws: NodeMessageViolation(offset: 14, expected: "a number from 0")) { try reader.count() }
        var long = BinaryReader([0xFF, 0xFF, 0xFF, 0xFF, 0])
        #expect(throws: NodeMessageViolation(offset: 4, expected: "a length within the message")) { try long.bytes() }
    }
}
