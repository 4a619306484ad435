import Testing
import Transport
import WebProtocols

@testable import Hub
@testable import Rooms

/// A connection that counts the calls on it.
private final class CountedChannel: SocketChannel {
    let peer = Peer.at("192.0.2.2")
    var isServedLast = false
    /// Bytes that its socket has not taken.
    var stuckBytes = 0
    private(set) var sends = 0
    private(set) var looks = 0
    var member: Member?

    var queuedBytes: Int {
        looks += 1
        return stuckBytes
    }

    func send(_ frame: Frame) { sends += 1 }
    func close(_ code: CloseCode, _ reason: String) {}

    func reset() { (sends, looks) = (0, 0) }
}

@Suite("The cost of an audience")
struct AudienceTests {
    private let table = Table()

    private func audience(of code: String) -> [CountedChannel] {
        table.hub.witness.isOn = false
        let channels = (0..<50).map { _ in CountedChannel() }
        let hello = Array(#"{"type":"hello"}"#.utf8)
        for channel in channels {
            channel.member = table.hub.shard.members.enter(channel, room: code)
            if let member = channel.member { table.hub.shard.members.messageArrived(hello.span.bytes, from: member) }
        }
        table.hub.pass(2_000)
        for channel in channels { channel.reset() }
        return channels
    }

    @Test("a flip costs one look and one send for each member, and nothing in other rooms")
    func flip() {
        let watchers = audience(of: table.code)
        let others = audience(of: table.hub.open(table.ann))
        others[0].stuckBytes = Member.queueLimitBytes + 1
        others[0].member?.fallBehind(now: table.hub.now)
        table.hub.settle()
        for other in others { other.reset() }
        table.mover.command("flip", ["cell": .integer(0)])
        #expect(watchers.allSatisfy { $0.sends == 1 && $0.looks <= 1 })
        #expect(others.allSatisfy { $0.sends == 0 && $0.looks == 0 })
    }

    @Test("presence is sent at most four times a second, however many come and go")
    func presence() {
        let watchers = audience(of: table.code)
        var pages: [ScriptedClient] = []
        for _ in 0..<20 {
            pages.append(table.hub.join(table.code))
            table.hub.pass(50)
        }
        #expect(watchers.allSatisfy { (3...5).contains($0.sends) && $0.looks == 0 })
        for page in pages { page.leave() }
        table.hub.pass(1_000)
        #expect(watchers.allSatisfy { $0.sends <= 7 && $0.looks == 0 })
    }

    @Test("a member who says hello again stays present")
    func helloAgain() {
        table.hub.pass(2_000)
        table.benPage.leave()
        table.hub.log.pace = .stepped
        // Without a player, so it is looked up.
        let token = ScriptedHub.token(of: "nobody")
        table.watcher.say(["type": "hello", "token": .string(token)], settling: false)
        table.hub.wait(1_500)
        #expect(table.annPage.present.players.count == 1)
        #expect(table.annPage.present.spectators == 1)
        table.hub.settle()
        #expect(table.watcher.messages.last { $0["type"] != "presence" }?["type"] == "welcome")
    }
}
