import Logging

/// A part of the hub whose log level can be set.
public enum LogPart: String, CaseIterable, Sendable {
    /// Its start and end, its folder, its page and its clock.
    case hub
    /// The event log, what is derived from it, and outages.
    case log
    /// Rooms, and computers that play in them.
    case rooms
    case accounts
    /// Loops, proxies and certificates.
    case transport
    /// A line for each request, with `HubOptions.logsAccess`.
    case access
}

/// A logger for each part, which its lines have as `part` in their metadata.
public struct HubLoggers: Sendable {
    public let hub: Logger
    public let log: Logger
    public let rooms: Logger
    public let accounts: Logger
    public let transport: Logger
    public let access: Logger

    /// - Parameter levels: for parts that log more or less than `logger`.
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

    public static let key = "part"

    subscript(part: LogPart) -> Logger {
        switch part {
        case .hub: hub
        case .log: log
        case .rooms: rooms
        case .accounts: accounts
        case .transport: transport
        case .access: access
        }
    }
}
