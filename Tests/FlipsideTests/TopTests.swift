import ArgumentParser
import Testing

@testable import flipside

@Suite("flipside top") struct TopTests {
    private static let first = """
        # TYPE flipside_rooms_awake gauge
        flipside_rooms_awake 2
        flipside_events_total 100
        flipside_refusals_total{code="busy"} 1
        flipside_log_sync_seconds_bucket{le="0.0004"} 0
        flipside_log_sync_seconds_bucket{le="0.0008"} 0
        flipside_log_sync_seconds_bucket{le="+Inf"} 5
        flipside_received_bytes_total 1e3
        process_start_time_seconds 17.5
        process_cpu_seconds_total 1

        """
    private static let second = """
        flipside_rooms_awake 3
        flipside_members 12
        flipside_lobby_members 1
        flipside_connections 14
        flipside_log_available 1
        flipside_read_models_available 1
        flipside_send_queue_bytes 1500
        flipside_log_appends_waiting 2
        flipside_events_total 350
        flipside_refusals_total{code="busy"} 1
        flipside_refusals_total{code="too-fast"} 10
        flipside_limits_total{limit="messages-per-second"} 10
        flipside_log_sync_seconds_bucket{le="0.0004"} 10
        flipside_log_sync_seconds_bucket{le="0.0008"} 18
        flipside_log_sync_seconds_bucket{le="+Inf"} 25
        flipside_received_bytes_total 2501000
        flipside_websocket_handshake_seconds_bucket{transport="plain",le="1.6384"} 1
        flipside_websocket_handshake_seconds_bucket{transport="plain",le="+Inf"} 1
        flipside_websocket_handshake_seconds_bucket{transport="tls",le="1.6384"} 3
        flipside_websocket_handshake_seconds_bucket{transport="tls",le="+Inf"} 3
        process_start_time_seconds 17.5
        process_cpu_seconds_total 1.5
        process_resident_memory_bytes 61000000
        process_open_fds 30
        process_max_fds 1024

        """

    @Test("the table shows current values, and what has changed between two readings")
    func table() throws {
        let lines = TopTable(
            before: try MetricsReading(Self.first), after: try MetricsReading(Self.second), seconds: 2.5
        ).lines
        let wanted = """
            now           rooms 3   in rooms 12   in the lobby 1   connections 14
            waiting       writes 2   for loops 0   for slow members 1.50 kB
            process       memory 61.0 MB   processor 20.0 %   descriptors 30 of 1024
            log           takes writes   lists are complete

            a second      events 100   commands 0   requests 0
            in            messages 0   bytes 1.00 MB
            out           messages 0   bytes 0 B

            takes                            p50       p90       p99  a second
            a command, to its room             -         -         -         0
            a write, to the log                -         -         -         0
            a sync of the disk            400 µs    800 µs    > 13 s      8.00
            what is due, for a loop            -         -         -         0
            a WebSocket's handshake       819 ms    1.47 s    1.62 s      1.60

            refused       too-fast 4.00
            limits hit    messages-per-second 4.00
            slow members  fell behind 0   messages left out 0
            """
        #expect(lines.joined(separator: "\n") == wanted)
    }

    @Test("a hub that restarted between two readings has counted from 0")
    func restart() throws {
        let after = try MetricsReading(Self.first.replacing("17.5", with: "99"))
        let lines = TopTable(before: try MetricsReading(Self.second), after: after, seconds: 2).lines
        #expect(lines.contains { $0.hasPrefix("a second      events 50.0 ") })
        #expect(lines.contains { $0.hasPrefix("log           TAKES NO WRITES") })
    }

    @Test(
        "a quantile is computed as by histogram_quantile of Prometheus",
        arguments: [(0.25, 0.5), (0.5, 1), (0.625, 1.5), (0.75, 2), (0.9, .infinity)])
    func quantiles(part: Double, seconds: Double) throws {
        let spans = SpanDistribution(
            before: [(1, 1), (2, 1), (.infinity, 1)], after: [(1, 5), (2, 7), (.infinity, 9)])
        #expect(spans.quantile(part) == seconds)
        #expect(SpanDistribution(before: [], after: [(1, 0), (.infinity, 0)]).quantile(part) == nil)
    }

    @Test(
        "samples are read with their labels, in every form of the format",
        arguments: [
            (#"a{le="0.5",b="c"} 3"#, ["0.5": 3]), (#"a{le="x y"} 1e+06 1395066363000"#, ["x y": 1_000_000]),
            (#"a{le="\\ \" \n",} -0.5"#, ["\\ \" \n": -0.5]), (#"a{le="}"} +Inf"#, ["}": Double.infinity]),
            ("a 3", [:]), ("a{} 3", [:]),
        ])
    func format(line: String, values: [String: Double]) throws {
        let reading = try MetricsReading("flipside_rooms_awake 0\n\(line)\n")
        #expect(reading.values("a", by: "le") == values)
        #expect(reading.sum("a") == values.values.first ?? 3)
    }

    @Test(
        "a malformed line is refused by its number, and other programs' figures are not shown",
        arguments: [
            ("<!doctype html>", MetricsReadingError.malformed(line: 1)), ("\n# HELP\na", .malformed(line: 3)),
            ("a b", .malformed(line: 1)), ("a 1 2 3", .malformed(line: 1)), ("a{b=\"c} 1", .malformed(line: 1)),
            ("a{b} 1", .malformed(line: 1)), ("a{=\"\"} 1", .malformed(line: 1)),
            ("a{b=\"\"c=\"\"} 1", .malformed(line: 1)),
            ("{a=\"b\"} 1", .malformed(line: 1)), ("a{b=\"\\", .malformed(line: 1)), ("a{", .malformed(line: 1)),
            ("", .notAHub), ("go_goroutines 7\n", .notAHub),
        ])
    func foreign(text: String, error: MetricsReadingError) {
        #expect(throws: error) { try MetricsReading(text) }
    }

    @Test(
        "a hub is named by its address",
        arguments: [
            ("http://127.0.0.1:8080", "127.0.0.1", 8080, false),
            ("https://play.example.org/", "play.example.org", 443, true),
            ("HTTP://[::1]:81/metrics", "::1", 81, false), ("http://a", "a", 80, false),
        ])
    func urls(text: String, host: String, port: Int, isTLS: Bool) throws {
        let url = try #require(HubURL(argument: text))
        #expect(url.host == host && url.port == port && url.isTLS == isTLS)
    }

    @Test(
        "what does not name a hub is refused",
        arguments: [
            "play.example.org", "ftp://a", "http://", "http://a:0", "http://a:65536", "http://a/rooms", "http://u:p@a",
            "http://a?b", "http://a#b", "",
        ])
    func badURLs(text: String) {
        #expect(HubURL(argument: text) == nil)
    }

    @Test("an interval without a length is refused", arguments: ["0", "-1", "4000", "nan"])
    func intervals(text: String) {
        #expect(throws: (any Error).self) { try Top.parse(["http://a", "--interval=\(text)"]) }
        #expect(throws: Never.self) { try Top.parse([]) }
    }
}
