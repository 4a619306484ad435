import EventStore
import Games
import Testing

@testable import Hub

/// Rows are damaged while the hub runs. They are built again in the background, and no one has to wait.
@Suite("Lost read models") struct LostRowsTests {
    private static let damage = EventLogError.rowsFailed(reason: "read-models.sqlite: the image is malformed")

    /// A game with turns of ten minutes, which everyone has left long enough for its room to sleep.
    private func sleeping() -> (table: Table, deadline: Milliseconds) {
        let table = Table(["columns": 2, "rows": 3, "theme": "numbers", "turnTime": 600])
        let deadline = table.state.deadline ?? 0
        table.sleep()
        return (table, deadline)
    }

    private func expectTurnExpired(_ table: Table, at deadline: Milliseconds) {
        let expired = table.hub.storage.records(of: .room(table.code)).first { $0.event.type == "turn-expired" }
        #expect(expired?.event.time == deadline)
    }

    private func metric(_ name: String, of hub: ScriptedHub) -> String? {
        let lines = hub.request("GET", "/metrics").text.split(separator: "\n")
        return lines.first { $0.hasPrefix("flipside_\(name) ") }?.split(separator: " ").last.map { String($0) }
    }

    @Test("rooms are opened and found again within ten seconds, and operators are informed throughout")
    func goesOn() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let first = hub.open(ann)
        _ = hub.join(first, ann)
        hub.pass(2_000)
        #expect(metric("read_models_available", of: hub) == "1")
        hub.rows.damage(Self.damage)
        hub.rows.refuse(Self.damage)
        hub.pass(2_000)
        let refused = hub.request("POST", "/api/rooms", token: ann.token, body: ["game": "memory"])
        #expect(refused.status == 503 && refused.text.contains("building its lists again"))
        #expect(metric("read_models_available", of: hub) == "0")
        let ready = hub.request("GET", "/readyz")
        #expect(ready.status == 200 && ready.text.contains("read models"))
        hub.rows.refuse(nil)
        hub.pass(8_000)
        let opened = hub.request("POST", "/api/rooms", token: ann.token, body: ["game": "memory"])
        #expect(opened.status == 201)
        #expect(hub.request("GET", "/api/rooms").text.contains(first))
        #expect(metric("read_models_available", of: hub) == "1" && metric("read_model_losses_total", of: hub) == "1")
        #expect(hub.request("GET", "/readyz").text == "ready\n")
        let lines = hub.logged.of(.error) + hub.logged.of(.notice)
        #expect(lines.filter { $0.contains("given up") && $0.contains("malformed") }.count == 1)
        #expect(lines.contains { $0.contains("complete again") })
    }

    @Test("a sleeping room that is due wakes in time, from the log alone", arguments: [true, false])
    func wakes(canBegin: Bool) {
        let (table, deadline) = sleeping()
        let hub = table.hub
        hub.rows.damage(Self.damage)
        if !canBegin { hub.rows.refuse(Self.damage) }
        hub.pass(deadline - hub.now + 1_000)
        expectTurnExpired(table, at: deadline)
        hub.rows.refuse(nil)
        hub.pass(10_000)
        #expect(metric("read_models_available", of: hub) == "1")
    }

    @Test("a room that is missing from rows under construction does not seem gone in the lobby")
    func keepsList() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        for _ in 0..<3 { _ = hub.join(hub.open(ann), ann) }
        hub.pass(2_000)
        let page = hub.lobby()
        hub.pass(2_000)
        page.clear()
        // The log answers one call at a time.
        hub.log.pace = .stepped
        hub.rows.damage(Self.damage)
        for _ in 0..<5 { hub.wait(1_000) }
        hub.log.pace = .automatic
        hub.settle()
        hub.pass(5_000)
        #expect(page.messages.filter { $0["type"] == "room-gone" }.isEmpty)
        #expect(metric("read_models_available", of: hub) == "1")
    }

    @Test("rows that are lost again at once are built again a little later")
    func losesAgain() {
        let hub = ScriptedHub()
        _ = hub.open(hub.player("Ann"))
        hub.pass(2_000)
        for expected in ["0", "1"] {
            hub.rows.damage(Self.damage)
            hub.pass(ReadModelUpdater.lossPause - 1_000)
            let isBuilt = metric("read_models_available", of: hub) == "1"
            #expect(isBuilt == (expected == "0"))
            hub.pass(2_000)
            #expect(metric("read_models_available", of: hub) == "1")
        }
    }
}
