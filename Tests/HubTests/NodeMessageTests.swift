import Cryptography
import EventStore
import Games
import Testing

@testable import Hub

@Suite("Several nodes: what they say to each other") struct NodeMessageTests {
    private static let player = "0123456789abcdef"
    private static let said = Said(
        player: player, name: "Zoë", id: "c7", message: .line("Grüße, 你好"), time: 1_767_225_600_000)
    private static let audience = Audience(connections: 3, players: [.init(id: player, name: "Zoë")], nameless: 1)
    private static let event = LinkedEvent(
        version: 7, time: 1_767_225_600_001, type: "show-card", commit: "5f2b9c01d4e6a873/a-1",
        shown: Array(#"{"v":7}"#.utf8), hash: SHA256.digest(of: "head"))

    private static let messages: [NodeMessage] =
        rooms.map { .room("abc234", NodeSession(.max), $0) } + [
            .accountChanged(player), .accountChanged(nil),
            .handOver(HandOverNote(epoch: 7, isSettled: false, hubVersion: nil, loop: 0, loops: 1)),
            .handOver(HandOverNote(epoch: .max, isSettled: true, hubVersion: 70_000, loop: 3, loops: 4)),
        ]

    /// Each kind once, with all that it can hold.
    private static let rooms: [RoomMessage] = [
        .attach(Attachment(audience: audience, said: [said], end: StreamEnd(version: 6, head: event.hash), since: 7)),
        .attach(Attachment(audience: audience, said: [], end: StreamName.hub.start, since: nil)),
        .audience(audience), .detach,
        .report(.opened), .report(.closed), .report(.came(player, name: "Ann")), .report(.went(player)),
        .report(.greeted(player)), .report(.spoke(player)), .report(.watching(9_999)),
        .command(
            RoomMessage.Command(
                player: player, address: ReplyAddress(member: .max, id: "c1"), type: "flip",
                fields: ["cell": .integer(3), "list": .list([.null, .bool(true), .string("é")])], time: -1)),
        .say(said, answering: ReplyAddress(member: 0, id: "")),
        .say(
            Said(player: player, name: nil, id: "c8", message: .reaction("👍🏽"), time: 0),
            answering: ReplyAddress(member: 12, id: "c8")),
        .attached(
            StreamEnd(version: 7, head: event.hash), said: [said, said],
            others: Company(names: [player: "Ann", "b": "Ben"], nameless: 2)),
        .refused(.notHome), .refused(.broken), .refused(.unknown), .events([], behind: event.hash),
        .events([event, event], behind: event.hash),
        .answer(ReplyAddress(member: 5, id: "c9"), version: 7, Array(#"{"type":"ok"}"#.utf8)),
        .others(.watching(0)), .said(said),
    ]

    @Test("a message is read as it was written", arguments: messages.indices)
    func roundTrip(index: Int) throws {
        let message = Self.messages[index]
        #expect(try NodeMessage(message.bytes) == message)
    }

    @Test("whatever is cut off, added or of another kind is refused, and said where", arguments: messages.indices)
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

    @Test("no bytes whatever end the hub", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) {
        let random = SeededRandom(seed)
        for _ in 0..<4_000 {
            var bytes = Self.messages[Int(random.bytes(1)[0]) % Self.messages.count].bytes
            for _ in 0..<3 {
                let place = random.bytes(3)
                bytes[(Int(place[0]) << 8 | Int(place[1])) % bytes.count] = place[2]
            }
            // What is read is what would be written: nothing has two forms.
            if let message = try? NodeMessage(bytes), !message.hasFields { #expect(message.bytes == bytes) }
        }
    }

    @Test("text that is no UTF-8, numbers below 0 and lengths past the end are refused")
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

extension NodeMessage {
    /// Whether it holds what is written in one of several ways: JSON, and names by player.
    fileprivate var hasFields: Bool {
        switch self {
        case .room(_, _, .command), .room(_, _, .attached): true
        default: false
        }
    }
}
