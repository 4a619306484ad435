import Logging

/// A part of the hub whose lines a level can be said for.
public enum LogPart: String, CaseIterable, Sendable {
    /// Its start and end, its folder, its page and its clock.
    case hub
    /// The event log, what is derived from it, and times in which nothing could be played.
    case log
    /// Rooms, and computers that play in them.
    case rooms
    case accounts
    /// Loops, proxies and certificates.
    case transport
    /// A line for each request, where `HubOptions.logsAccess` wants it.
    case access
}

/// A logger for each part: its lines say which they are from, as `part` of their metadata.
public struct HubLoggers: Sendable {
    public let hub: Logger
    public let log: Logger
    public let rooms: Logger
    public let accounts: Logger
    public let transport: Logger
    public let access: Logger

    /// - Parameter levels: of parts that log more or less than `logger`.
    public init(_ logger: Logger, levels: [LogPart: Logger.Level] = [:]) {
        func part(_ part: LogPart) -> Logger {
            var logger = logger
            logger[metadataKey: Self.key] = "\(part.rawValue)"
            if let level = levels[part] { logger.logLevel = level }
            return logger
        }
        (hub, log, rooms) = (part(.hub), part(.log), part(.rooms))
        (accounts, transport, access) = (part(.accounts), part(.transport), part(.access))
    }

    static let key = "part"
}
