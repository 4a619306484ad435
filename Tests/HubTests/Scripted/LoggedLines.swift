import JSON
import Logging
import Synchronization

/// The hub's log lines: level, message, and metadata in the order of names.
final class LoggedLines: LogHandler {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func of(_ level: Logger.Level) -> [String] { lines.withLock { $0 }.filter { $0.hasPrefix(level.rawValue) } }

    func log(event: LogEvent) {
        let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        let line = ([event.level.rawValue, "\(event.message)"] + values).joined(separator: " ")
        lines.withLock { $0.append(line) }
    }

    // Keeps every level. A logger's own metadata is not used.
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
