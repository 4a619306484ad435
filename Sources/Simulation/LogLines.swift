import Logging
import Synchronization

/// The lines that hubs write to their own logs, at any level, until the world has checked them.
final class LogLines: LogHandler {
    /// A line: its text, and its values by name.
    typealias Line = (text: String, values: [(name: String, value: String)])

    private let lines = Mutex<[Line]>([])

    var logger: Logger { Logger(label: "simulated") { _ in self } }

    /// Removes all that were written since the last call.
    func takeAll() -> [Line] {
        lines.withLock { lines in
            guard !lines.isEmpty else { return [] }
            defer { lines = [] }
            return lines
        }
    }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { (name: $0.key, value: "\($0.value)") }
        let error = event.error.map { [(name: "error", value: "\($0)")] } ?? []
        lines.withLock { $0.append(("\(event.message)", values + error)) }
    }

    // Nothing is left out, and a logger's own values are the same in all its lines.
    var logLevel: Logger.Level {
        get { .trace }
        set { _ = newValue }
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set { _ = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
    }
}
