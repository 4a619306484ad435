import Logging

/// Passes log events to a `LogOutput`.
public struct LogLines: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata: Logger.Metadata = [:]
    private let output: LogOutput

    public init(_ output: LogOutput) { self.output = output }

    public func log(event: LogEvent) {
        output.log(event.level, "\(event.message)", metadata.merging(event.metadata ?? [:]) { _, own in own })
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
