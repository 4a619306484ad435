import EventStore
import Games
import Testing

@testable import Hub
@testable import Rooms

@Suite("Why the log or the read models failed") struct FailureLinesTests {
    @Test("each failure has a line with its cause once a minute, and beyond a limit a count")
    func failureLines() {
        let hub = ScriptedHub()
        hub.witness.isOn = false
        let ann = hub.player("Ann")
        func lines() -> [String] { hub.logged.of(.warning).filter { $0.contains("could not be read") } }
        for _ in 0..<3 {
            hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector")))
            #expect(hub.request("GET", "/api/players/me", token: ann.token).status == 503)
        }
        #expect(lines().count == 1 && lines()[0].contains("bad sector"))
        hub.pass(FailureLines.pause)
        for number in 0...FailureLines.causeLimit {
            hub.log.putIn(.unreadable(.cannotRead(reason: "sector \(number)")))
            _ = hub.request("GET", "/api/players/me", token: ann.token)
        }
        #expect(lines().count == 1 + FailureLines.causeLimit && lines()[1].contains("others=2"))
        hub.pass(FailureLines.pause)
        hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector")))
        _ = hub.request("GET", "/api/players/me", token: ann.token)
        #expect(lines().last?.contains("others=1") == true && lines().last?.contains("bad sector") == true)
    }

    @Test("unwritable read models have a line with the cause, once a minute")
    func unwritten() {
        let hub = ScriptedHub()
        hub.rows.writeFailure = .rowsFailed(reason: "database or disk is full")
        hub.pass(FailureLines.pause - 1_000)
        func lines() -> [String] { hub.logged.of(.warning).filter { $0.contains("cannot be written") } }
        #expect(lines().count == 1 && lines()[0].contains("disk is full"))
        hub.pass(2_000)
        #expect(lines().count == 2)
    }

    @Test("a failed question to the read models has a line with its cause")
    func readModels() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        hub.rows.damage(.rowsFailed(reason: "malformed"))
        #expect(hub.request("GET", "/api/players/me/games", token: ann.token).status == 503)
        #expect(
            hub.logged.of(.warning).contains { $0.contains("read models did not answer") && $0.contains("malformed") })
    }

    @Test("every request for a damaged room gets room-broken, and once a minute there is a line with the cause")
    func brokenRoom() {
        let hub = ScriptedHub()
        hub.witness.isOn = false
        let code = hub.open(hub.player("Ann"))
        hub.storage.alter(.room(code), version: 1, shown: Array("{}".utf8))
        hub.crash(downtime: 1_000)
        func lines() -> [String] { (hub.logged.of(.warning) + hub.logged.of(.error)).filter { $0.contains(code) } }
        for minute in 1...3 {
            for _ in 0..<5 {
                for path in ["", "/log"] {
                    let refused = hub.request("GET", "/api/rooms/\(code)\(path)")
                    #expect(refused.status == 503 && refused.fields["code"] == "room-broken")
                }
                // It sleeps, and is read again.
                hub.pass(FailureLines.pause / 4)
            }
            #expect(lines().count <= minute + 1, "\(lines())")
        }
        #expect(lines().allSatisfy { $0.contains("room does not open") && $0.contains("record 1") }, "\(lines())")
    }

    @Test("a log damaged during play gets room-broken, with a line")
    func brokenLog() {
        let table = Table()
        let hub = table.hub
        hub.witness.isOn = false
        hub.storage.alter(.room(table.code), version: 2, shown: Array("{}".utf8))
        for _ in 0..<3 {
            let refused = hub.request("GET", "/api/rooms/\(table.code)/log")
            #expect(refused.status == 503 && refused.fields["code"] == "room-broken")
        }
        #expect(hub.logged.of(.error).count { $0.contains("record 2") && $0.contains("room=\(table.code)") } == 1)
        #expect(hub.request("GET", "/api/rooms/\(table.code)").status == 200)
    }
}
