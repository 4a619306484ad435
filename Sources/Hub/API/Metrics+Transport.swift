import Rooms
import Threads
import Transport

// What the loops count.
extension Metrics {
    var transportFigures: [Figure] {
        [
            .gauge("connections", "Open connections.", sum { $0.connections.value }),
            .counter("received_bytes_total", "Bytes read from sockets, TLS included.", sum { $0.receivedBytes.value }),
            .counter("sent_bytes_total", "Bytes written to sockets, TLS included.", sum { $0.sentBytes.value }),
            .counter(
                "received_messages_total", "Messages received over WebSockets.",
                sum { $0.receivedMessages.value }),
            .counter("sent_messages_total", "Messages sent over WebSockets.", sum { $0.sentMessages.value }),
            .gauge("send_queue_bytes", "Bytes that wait for slow connections.", sum { $0.waitingBytes.value }),
            .gauge(
                "loop_inbox_messages", "Messages of other threads that event loops have not read yet.",
                loops.reduce(0) { $0 + $1.waitingCount }),
            .histogram("loop_lag_seconds", "How late an event loop did what was due.", spans { $0.lag.value }),
            Figure(
                .histogram(
                    "websocket_handshake_seconds", by: "transport",
                    "From accepting a connection to answering its first request with an upgrade."),
                [
                    ("plain", .spans(spans { $0.plainHandshakes.value })),
                    ("tls", .spans(spans { $0.secureHandshakes.value })),
                ]),
            Figure(
                .histogram(
                    "tls_handshake_seconds", by: "version",
                    "From accepting a connection to the end of its TLS handshake, by the version agreed on."),
                TLSVersion.allCases.map { version in (version.rawValue, .spans(spans { $0.handshakes(version) })) }),
            .counter(
                "tls_handshake_failures_total", "TLS handshakes that failed.",
                sum { $0.failedTLSHandshakes.value }),
        ]
    }

    /// How many times each limit of the transport was hit.
    var transportLimits: [[Figure.Sample]] {
        let none = TransportLimit.allCases.map { Figure.Sample(label: $0.rawValue, reading: .number(0)) }
        return [none]
            + loops.map { loop in
                TransportLimit.allCases.map {
                    Figure.Sample(label: $0.rawValue, reading: .number(loop.counters.limits[$0]))
                }
            }
    }

    private func sum(_ part: (LoopCounters) -> Int) -> Int { loops.reduce(0) { $0 + part($1.counters) } }

    private func spans(_ part: (LoopCounters) -> Histogram) -> Histogram {
        loops.reduce(Histogram()) { $0 + part($1.counters) }
    }
}
