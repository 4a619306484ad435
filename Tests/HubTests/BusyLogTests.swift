import EventStore
import Games
import Testing

@testable import Hub
@testable import Rooms

/// A queue of the log is full. The caller learns that, and the log's content is fine.
@Suite("A log that is too busy") struct BusyLogTests {
    private static let full = EventLogError.busy(reason: "65536 calls are already waiting")

    @Test("a room whose log is too busy is read again, and not considered damaged")
    func reading() {
        let table = Table(["columns": 2, "rows": 3, "turnTime": 600])
        let hub = table.hub
        table.sleep()
        for _ in 0..<2 * RoomStream.readingLimit { hub.log.putIn(.unreadable(Self.full)) }
        let page = hub.join(table.code)
        hub.pass(RoomStream.retryPause * 2 * RoomStream.readingLimit)
        #expect(page.closed == nil && page.last("welcome")?["version"]?.integer == table.state.version)
    }

    @Test("a command is refused with a code that permits repeating it, and then done")
    func appending() {
        let table = Table()
        table.hub.log.putIn(.refused(Self.full))
        #expect(table.mover.command("flip", ["cell": 0], id: "flip")?["code"] == "busy")
        #expect(table.mover.command("flip", ["cell": 0], id: "flip")?["type"] == "ok")
    }

    @Test("over HTTP the answer is busy, both for reads and writes", arguments: [true, false])
    func requests(isRead: Bool) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        for path in ["/api/rooms", "/api/players/me/link-code"] {
            hub.log.putIn(isRead ? .unreadable(Self.full) : .refused(Self.full))
            let refused = hub.request("POST", path, token: ann.token, body: ["game": "memory"])
            #expect(refused.status == 503 && refused.fields["code"] == "busy", "\(path)")
        }
    }
}
