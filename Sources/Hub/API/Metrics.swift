import EventStore

/// The figures of `/metrics`, in Prometheus' text format: no names, no codes, nothing of any game.
struct Metrics: Sendable {
    let counters: [HubCounters]
    let clock: HubClock
    /// What the log has done; nothing, unless its engine counts.
    var log: @Sendable () -> LogCounters = { LogCounters() }

    var text: String {
        let log = log()
        // A shard that has not heard yet is behind by a turn: one that has heard is believed.
        let isLogDown = sum(\.logIsDown) > 0
        let rows: [(String, String, String, Int)] = [
            ("members", "gauge", "Connections in rooms.", sum(\.members)),
            ("lobby_members", "gauge", "Connections in the lobby.", sum(\.lobby)),
            ("rooms_awake", "gauge", "Rooms that are awake.", sum(\.rooms)),
            ("messages_total", "counter", "Messages from members.", sum(\.messages)),
            ("events_total", "counter", "Events that rooms have folded.", sum(\.events)),
            ("refusals_total", "counter", "Messages and commands that were refused.", sum(\.refusals)),
            ("http_requests_total", "counter", "HTTP requests.", sum(\.requests)),
            ("game_faults_total", "counter", "Times that a game did what cannot be recorded.", sum(\.gameFaults)),
            (
                "computer_failures_total", "counter", "Times that a computer player gave no command that can be done.",
                sum(\.computerFailures)
            ),
            ("log_available", "gauge", "1 while play goes on; 0 while the log takes no writes.", isLogDown ? 0 : 1),
            ("log_failures_total", "counter", "Times that the log stopped taking writes.", log.failures),
            ("clock_steps_total", "counter", "Times that the system's clock was set by over 2 s.", clock.steps),
            ("clock_ahead_milliseconds", "gauge", "How far hub time is ahead of the system's clock.", clock.ahead),
            ("loop_stalls_total", "counter", "Times that an event loop stood still for over 1 s.", sum(\.stalls)),
            ("log_records_total", "counter", "Events written to the log.", log.records),
            ("log_transactions_total", "counter", "Writes that waited for the disk.", log.transactions),
        ]
        return rows.map { name, kind, help, value in
            """
            # HELP flipside_\(name) \(help)
            # TYPE flipside_\(name) \(kind)
            flipside_\(name) \(value)

            """
        }.joined()
    }

    private func sum(_ counter: KeyPath<HubCounters, Counter>) -> Int {
        counters.reduce(0) { $0 + $1[keyPath: counter].value }
    }
}
