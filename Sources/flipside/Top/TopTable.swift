import Foundation

/// The table of `flipside top`: a hub's current figures, and the changes since the last reading.
struct TopTable {
    let before: MetricsReading
    let after: MetricsReading
    /// Between the two readings.
    let seconds: Double

    /// The spans that are shown, with their labels.
    private static let spans = [
        ("a command, to its room", "flipside_command_broadcast_seconds"),
        ("a write, to the log", "flipside_log_append_seconds"), ("a sync of the disk", "flipside_log_sync_seconds"),
        ("what is due, for a loop", "flipside_loop_lag_seconds"),
        ("a WebSocket's handshake", "flipside_websocket_handshake_seconds"),
    ]
    private static let quantiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)]
    /// Most refusals and limits that are named.
    private static let namedLimit = 5

    var lines: [String] { state + [""] + rates + [""] + latencies + [""] + trouble }

    // MARK: Parts

    private var state: [String] {
        let isUp = after.sum("flipside_log_available") == 1
        let areListsComplete = after.sum("flipside_read_models_available") == 1
        return [
            row(
                "now",
                count("rooms", "flipside_rooms_awake"), count("in rooms", "flipside_members"),
                count("in the lobby", "flipside_lobby_members"), count("connections", "flipside_connections")),
            row(
                "waiting",
                count("writes", "flipside_log_appends_waiting"), count("for loops", "flipside_loop_inbox_messages"),
                "for slow members " + TopText.bytes(after.sum("flipside_send_queue_bytes"))),
            row(
                "process", "memory " + TopText.bytes(after.sum("process_resident_memory_bytes")),
                "processor " + TopText.figure(rate("process_cpu_seconds_total") * 100) + " %",
                "descriptors " + TopText.whole(after.sum("process_open_fds"))
                    + " of " + TopText.whole(after.sum("process_max_fds"))),
            row(
                "log", isUp ? "takes writes" : "TAKES NO WRITES: play has stopped",
                areListsComplete ? "lists are complete" : "LISTS ARE INCOMPLETE: they are built again"),
        ] + (isNode ? cluster : [])
    }

    private var isNode: Bool { after.sum("flipside_nodes") > 0 }

    private var cluster: [String] {
        [
            row(
                "cluster", count("nodes", "flipside_nodes"),
                count("linked", "flipside_node_links"), count("relayed", "flipside_node_relayed_connections")),
            row(
                "homes", count("given up", "flipside_node_rooms_given_up_total"),
                count("nodes lost", "flipside_node_losses_total"),
                perSecond("conflicts a second", "flipside_log_conflicts_total")),
        ]
    }

    private var rates: [String] {
        [
            row(
                "a second", perSecond("events", "flipside_events_total"),
                perSecond("commands", "flipside_commands_total"),
                perSecond("requests", "flipside_http_requests_total")),
            row(
                "in", perSecond("messages", "flipside_received_messages_total"),
                "bytes " + TopText.bytes(rate("flipside_received_bytes_total"))),
            row(
                "out", perSecond("messages", "flipside_sent_messages_total"),
                "bytes " + TopText.bytes(rate("flipside_sent_bytes_total"))),
        ]
    }

    private var latencies: [String] {
        [columns("takes", Self.quantiles.map(\.0) + ["a second"])]
            + Self.spans.map { name, metric in
                let spans = SpanDistribution(
                    before: isRestart ? [] : before.buckets(metric), after: after.buckets(metric))
                return columns(
                    name,
                    Self.quantiles.map { spans.quantile($0.1).map(TopText.span) ?? "-" }
                        + [TopText.figure(spans.count / seconds)])
            }
    }

    private var trouble: [String] {
        [
            row("refused", named("flipside_refusals_total", by: "code")),
            row("limits hit", named("flipside_limits_total", by: "limit")),
            row(
                "slow members", perSecond("fell behind", "flipside_members_fell_behind_total"),
                perSecond("messages left out", "flipside_messages_left_out_total")),
        ]
    }

    // MARK: Figures

    /// Whether another process answered than before, whose counters started at 0.
    private var isRestart: Bool {
        after.sum("process_start_time_seconds") != before.sum("process_start_time_seconds")
    }

    /// How much a counter grows in a second.
    private func rate(_ name: String) -> Double {
        max(0, after.sum(name) - (isRestart ? 0 : before.sum(name))) / seconds
    }

    /// The labels that grew most, the fastest first.
    private func named(_ name: String, by label: String) -> [String] {
        let old = isRestart ? [:] : before.values(name, by: label)
        let grown = after.values(name, by: label)
            .map { (label: $0.key, rate: ($0.value - (old[$0.key] ?? 0)) / seconds) }.filter { $0.rate > 0 }
            .sorted { ($1.rate, $0.label) < ($0.rate, $1.label) }
        guard !grown.isEmpty else { return ["nothing"] }
        let rest = grown.dropFirst(Self.namedLimit)
        return grown.prefix(Self.namedLimit).map { "\($0.label) \(TopText.figure($0.rate))" }
            + (rest.isEmpty ? [] : ["others \(TopText.figure(rest.reduce(0) { $0 + $1.rate }))"])
    }

    private func count(_ label: String, _ name: String) -> String { "\(label) \(TopText.whole(after.sum(name)))" }

    private func perSecond(_ label: String, _ name: String) -> String { "\(label) \(TopText.figure(rate(name)))" }

    private func row(_ name: String, _ cells: String...) -> String { row(name, cells) }

    private func row(_ name: String, _ cells: [String]) -> String {
        TopText.pad(name, 14) + cells.joined(separator: "   ")
    }

    /// Aligned in columns.
    private func columns(_ name: String, _ cells: [String]) -> String {
        TopText.pad(name, 26) + cells.map { TopText.right($0, 10) }.joined()
    }
}

/// The spans of a histogram between two readings.
struct SpanDistribution {
    /// Bounds in seconds, the last of them infinite. Each count includes the shorter spans.
    private let buckets: [(bound: Double, count: Double)]

    /// Both in the order of their bounds.
    init(before: [(bound: Double, count: Double)], after: [(bound: Double, count: Double)]) {
        let old = Dictionary(before.map { ($0.bound, $0.count) }) { first, _ in first }
        buckets = after.map { ($0.bound, max(0, $0.count - (old[$0.bound] ?? 0))) }
    }

    var count: Double { buckets.last?.count ?? 0 }

    /// The longest of the shortest `part` of the spans, like Prometheus' `histogram_quantile`, which assumes an even
    /// spread within a bucket. Infinity past the last bound; nil if there were no spans.
    func quantile(_ part: Double) -> Double? {
        let rank = part * count
        guard count > 0, let index = buckets.firstIndex(where: { $0.count >= rank }) else { return nil }
        let (start, below) = index == 0 ? (0, 0) : buckets[index - 1]
        let (end, upTo) = buckets[index]
        guard end < .infinity, upTo > below else { return end }
        return start + (end - start) * (rank - below) / (upTo - below)
    }
}
