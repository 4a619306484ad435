import EventStore
import Rooms
import Threads
import Transport

/// The figures of `/metrics` in Prometheus' text format. They have no names, no codes, and nothing of any game.
struct Metrics: Sendable {
    let counters: [HubCounters]
    /// Empty in a script.
    var loops: [LoopHandle] = []
    let clock: HubClock
    /// Lines of the hub's log that were dropped.
    var droppedLines: @Sendable () -> Int = { 0 }
    /// When the first certificate expires, in seconds since 1970; 0 without certificates.
    var certificateExpiry: @Sendable () -> Int = { 0 }
    /// The log's own counters; zero if its engine does not count.
    var log: @Sendable () -> LogCounters = { LogCounters() }

    var text: String { figures.map(\.text).joined() }

    /// The sums over all shards and loops, and what is counted elsewhere.
    var figures: [Figure] {
        shardFigures + transportFigures + [certificates] + logFigures + clockFigures + [lines]
            + ProcessFigures().figures
    }

    private var lines: Figure {
        .counter(
            "log_lines_dropped_total", "Lines of the hub's log that were dropped, because nothing read them.",
            droppedLines())
    }

    /// False from the loss of the read models until they are built again.
    var areReadModelsWhole: Bool { counters.allSatisfy { $0.rowsAreIncomplete.value == 0 } }

    private var certificates: Figure {
        Figure(
            .gauge("tls_certificate_expiry_seconds", "When the first certificate expires, since 1970; 0 without any."),
            .span(certificateExpiry() * 1_000_000_000))
    }

    private var shardFigures: [Figure] {
        let told = counters.map(\.told)
        return (told.first ?? []).enumerated().compactMap { index, counter in
            guard let metric = counter.metric else { return nil }
            // The transport's limits are reported with the hub's.
            let more = metric == HubLimit.metric ? transportLimits : []
            return .sum(metric, told.map { $0[index].samples } + more)
        }
    }

    private var logFigures: [Figure] {
        let log = log()
        // A shard may learn that the log is down one turn late, so one that knows is enough.
        let isLogDown = counters.contains { $0.logIsDown.value > 0 }
        return [
            .gauge("log_available", "1 while play is possible; 0 while the log takes no writes.", isLogDown ? 0 : 1),
            .gauge(
                "read_models_available",
                "1 while lists and results are complete; 0 while the read models are built from the log.",
                areReadModelsWhole ? 1 : 0),
            .counter("log_failures_total", "Times that the log stopped taking writes.", log.failures),
            .counter("log_stalls_total", "Times that the disk did not answer the log for 2 s.", log.stalls),
            .counter("log_records_total", "Events written to the log.", log.records),
            .counter("log_conflicts_total", "Writes that were refused, because another had come first.", log.conflicts),
            .counter(
                "log_checkpoints_total", "Times that the write-ahead log was brought into the log.",
                log.checkpoints),
            .gauge(
                "log_wal_bytes", "Bytes of the write-ahead log's file; 0 with a log in PostgreSQL.",
                log.journalBytes),
            .gauge("log_appends_waiting", "Writes that were handed to the log and are not answered yet.", log.waiting),
            .histogram("log_append_seconds", "From handing a write to the log to its answer.", log.appends),
            .histogram(
                "log_sync_seconds", "How long a transaction, of one write or many, waited for the disk.",
                log.syncs),
        ]
    }

    private var clockFigures: [Figure] {
        [
            .counter("clock_steps_total", "Times that the system's clock was set by over 2 s.", clock.steps),
            Figure(
                .gauge("clock_ahead_seconds", "How far hub time is ahead of the system's clock."),
                .span(clock.ahead * 1_000_000)),
        ]
    }
}

extension Figure {
    static func gauge(_ name: String, _ help: String, _ number: Int) -> Figure {
        Figure(.gauge(name, help), .number(number))
    }

    static func counter(_ name: String, _ help: String, _ number: Int) -> Figure {
        Figure(.counter(name, help), .number(number))
    }

    static func histogram(_ name: String, _ help: String, _ spans: Histogram) -> Figure {
        Figure(.histogram(name, help), .spans(spans))
    }
}
