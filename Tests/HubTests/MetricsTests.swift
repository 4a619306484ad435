import Games
import JSON
import Testing
import Threads

@testable import Hub
@testable import RoomRules
@testable import Rooms

@Suite("Metrics") struct MetricsTests {
    @Test("a figure is written in Prometheus' text format")
    func text() {
        #expect(
            Figure(.gauge("rooms", "Rooms."), .number(3)).text == """
                # HELP flipside_rooms Rooms.
                # TYPE flipside_rooms gauge
                flipside_rooms 3

                """)
        let counter = HistogramCounter()
        for span in [50_000, 50_001, 20_000_000_000] { counter.add(span) }
        let lines = Figure(.histogram("lag_seconds", by: "loop", "Lag."), [("1", .spans(counter.value))]).text
            .split(separator: "\n")
        #expect(lines[1] == "# TYPE flipside_lag_seconds histogram")
        #expect(lines[2] == #"flipside_lag_seconds_bucket{loop="1",le="0.00005"} 1"#)
        #expect(lines[3] == #"flipside_lag_seconds_bucket{loop="1",le="0.0001"} 2"#)
        #expect(
            lines.suffix(4) == [
                #"flipside_lag_seconds_bucket{loop="1",le="13.1072"} 2"#,
                #"flipside_lag_seconds_bucket{loop="1",le="+Inf"} 3"#,
                #"flipside_lag_seconds_sum{loop="1"} 20.000100001"#, #"flipside_lag_seconds_count{loop="1"} 3"#,
            ])
    }

    @Test(
        "spans are written in seconds, with all of their digits",
        arguments: [
            (0, "0"), (1, "0.000000001"), (50_000, "0.00005"), (-1_500_000_000, "-1.5"), (13_107_200_000, "13.1072"),
            (60_000_000_000, "60"),
        ])
    func seconds(span: Nanoseconds, text: String) {
        #expect(span.seconds == text)
    }

    @Test("counts of several shards are reported as one")
    func sums() {
        let shards = (0..<2).map { _ in HubCounters(commands: ["sit", "flip"]) }
        shards[0].refused(.busy)
        for shard in shards {
            shard.members.add(2)
            shard.commands.add("flip")
            shard.refused(.notSeated)
            shard.broadcasts.add(60_000)
        }
        let clock = HubClock(ScriptedTime(), startingAt: 0, logger: .init(label: "test"))
        let lines = Metrics(counters: shards, clock: clock).text.split(separator: "\n")
        for line in [
            "flipside_members 4", #"flipside_commands_total{command="sit"} 0"#,
            #"flipside_commands_total{command="flip"} 2"#, #"flipside_refusals_total{code="busy"} 1"#,
            #"flipside_refusals_total{code="not-seated"} 2"#,
            #"flipside_command_broadcast_seconds_bucket{le="0.0001"} 2"#,
            "flipside_command_broadcast_seconds_sum 0.00012",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
    }

    @Test("a game's commands, refusals and written commands are counted once")
    func play() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann), ann)
        page.command("sit")
        // Nothing is written a second time.
        page.command("sit")
        page.command("leave")
        page.command("leave")
        #expect(hub.counters.commands["sit"] == 2 && hub.counters.commands["leave"] == 2)
        #expect(hub.counters.refusals["not-seated"] == 1)
        #expect(hub.counters.broadcasts.value.count == 2)
    }

    @Test("nothing from a client becomes a label")
    func labels() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann), ann)
        for word in ["Mallory", "sit\"}", "flipside"] {
            page.say(["type": .string(word), "id": .string(word)])
            page.say(["type": "say", "id": .string(word), "text": .string(word)])
            page.say(["type": "options", "id": .string(word), "options": .object([word: .string(word)])])
            _ = hub.request("GET", "/api/rooms/Mallory")
            _ = hub.request("POST", "/api/rooms", token: ann.token, body: ["game": .string(word)])
            _ = hub.request("POST", "/api/players", body: ["name": .string(word), "token": .string(word)])
        }
        let text = String(decoding: hub.request("GET", "/metrics").body, as: UTF8.self)
        #expect(!text.contains("Mallory") && !text.contains("sit\\") && !text.contains("\"flipside\""))
        #expect(text.contains(#"flipside_refusals_total{code="unknown-type"} 3"#))
        #expect(text.contains(#"flipside_refusals_total{code="no-such-room"} 3"#))
    }

    @Test("a slow member is counted once, and each message that it does not get")
    func behind() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let (page, watcher) = (hub.join(code, ann), hub.join(code))
        watcher.isStuck = true
        for _ in 0..<2 { watcher.member?.fallBehind(now: hub.now) }
        hub.witness.isOn = false
        watcher.send(.text([UInt8](JSONWriter.bytes(["type": "pong", "n": .integer(0)]))))
        let (behind, leftOut) = (hub.counters.fallsBehind.value, hub.counters.leftOut.value)
        page.command("sit")
        #expect(behind == 1 && hub.counters.fallsBehind.value == 1)
        #expect(hub.counters.leftOut.value > leftOut)
        hub.pass(Member.behindLimit + 2 * Shard.sweepPause)
        #expect(watcher.closed == .tryAgainLater && hub.counters.limits["behind-time"] == 1)
    }
}
