/// The figures of `/metrics`, in Prometheus' text format: no names, no codes, nothing of any game.
struct Metrics: Sendable {
    let counters: [HubCounters]

    var text: String {
        let rows: [(String, String, String, (HubCounters) -> Int)] = [
            ("members", "gauge", "Connections in rooms.", { $0.members.value }),
            ("rooms_awake", "gauge", "Rooms that are awake.", { $0.rooms.value }),
            ("messages_total", "counter", "Messages from members.", { $0.messages.value }),
            ("events_total", "counter", "Events that rooms have folded.", { $0.events.value }),
            ("refusals_total", "counter", "Messages and commands that were refused.", { $0.refusals.value }),
            ("http_requests_total", "counter", "HTTP requests.", { $0.requests.value }),
        ]
        return rows.map { name, kind, help, value in
            """
            # HELP flipside_\(name) \(help)
            # TYPE flipside_\(name) \(kind)
            flipside_\(name) \(counters.reduce(0) { $0 + value($1) })

            """
        }.joined()
    }
}
