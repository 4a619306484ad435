import EventStore

/// A figure of `/metrics`: `Operating.md` has a row for each.
struct Metric: Equatable, Sendable {
    enum Kind: String { case gauge, counter }

    /// As Prometheus calls it, behind `flipside_`.
    let name: String
    let kind: Kind
    let help: String

    static func gauge(_ name: String, _ help: String) -> Metric { Metric(name: name, kind: .gauge, help: help) }
    static func counter(_ name: String, _ help: String) -> Metric { Metric(name: name, kind: .counter, help: help) }
}

/// The figures of `/metrics`, in Prometheus' text format: no names, no codes, nothing of any game.
struct Metrics: Sendable {
    let counters: [HubCounters]
    let clock: HubClock
    /// What the log has done; nothing, unless its engine counts.
    var log: @Sendable () -> LogCounters = { LogCounters() }

    var text: String {
        figures.map { metric, value in
            """
            # HELP flipside_\(metric.name) \(metric.help)
            # TYPE flipside_\(metric.name) \(metric.kind.rawValue)
            flipside_\(metric.name) \(value)

            """
        }.joined()
    }

    /// What all shards have counted together, and what is counted elsewhere.
    var figures: [(metric: Metric, value: Int)] {
        let log = log()
        // A shard that has not heard yet is behind by a turn: one that has heard is believed.
        let isLogDown = counters.contains { $0.logIsDown.value > 0 }
        let told = counters.map(\.told)
        let sums = (told.first ?? []).enumerated().compactMap { index, counter in
            counter.metric.map { (metric: $0, value: told.reduce(0) { $0 + $1[index].value }) }
        }
        return sums + [
            (.gauge("log_available", "1 while play goes on; 0 while the log takes no writes."), isLogDown ? 0 : 1),
            (.counter("log_failures_total", "Times that the log stopped taking writes."), log.failures),
            (.counter("log_records_total", "Events written to the log."), log.records),
            (.counter("log_transactions_total", "Writes that waited for the disk."), log.transactions),
            (.counter("clock_steps_total", "Times that the system's clock was set by over 2 s."), clock.steps),
            (.gauge("clock_ahead_milliseconds", "How far hub time is ahead of the system's clock."), clock.ahead),
        ]
    }
}
