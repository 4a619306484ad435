import EventStore
import Games
import Logging

/// Logs why the log or the read models failed. Clients only learn that they did. Each cause is logged once a minute.
struct FailureLines {
    /// The time between two lines with the same cause.
    static let pause: Milliseconds = 60_000
    /// Causes with their own lines in that time. Others are only counted. Each names what failed, so there may be many.
    static let causeLimit = 16

    private var told: [String: Milliseconds] = [:]
    /// Failures without a line since the last line.
    private var untold = 0

    /// What a line of a failure at `now` has besides its text; nil if it gets none.
    mutating func metadata(of error: EventLogError, _ line: LogLine, at now: Milliseconds) -> Logger.Metadata? {
        guard let others = others(than: line.message + ": " + error.sentence, at: now) else { return nil }
        var metadata: Logger.Metadata = ["reason": "\(error.sentence)"]
        if others > 0 { metadata["others"] = "\(others)" }
        return metadata
    }

    /// How many failures had no line since the last line; nil if this one, of `cause`, gets none either.
    mutating func others(than cause: String, at now: Milliseconds) -> Int? {
        if told[cause].map({ now - $0 >= Self.pause }) ?? true, told.count >= Self.causeLimit {
            told = told.filter { now - $0.value < Self.pause }
        }
        guard told[cause].map({ now - $0 >= Self.pause }) ?? (told.count < Self.causeLimit) else {
            untold += 1
            return nil
        }
        told[cause] = now
        defer { untold = 0 }
        return untold
    }
}

extension LogMessage {
    /// The failure in this message; nil if it has none.
    fileprivate var failure: (error: EventLogError, line: LogLine)? {
        switch self {
        // Reported for the room.
        case .loaded(_, .failure(.chainBroken(let stream, _))) where stream.roomCode != nil: nil
        case .followFailed(_, .chainBroken(let stream, _)) where stream.roomCode != nil: nil
        case .settled(_, .unavailable(let error)): (error, .writeFailed)
        case .loaded(_, .failure(let error)): (error, .readFailed)
        case .followFailed(_, let error): (error, .followFailed)
        default: nil
        }
    }
}

extension RoomSurroundings {
    /// Logs the log's failure, except while it takes no writes, which was logged when that started.
    public func logFailure(in message: LogMessage) {
        guard let (error, line) = message.failure, !isLogDown else { return }
        logFailure(error, line)
    }

    /// Logs why a room cannot be read, once a minute however many clients ask for it.
    public func logBrokenRoom(_ code: String, _ reason: String) {
        guard let others = brokenRoomLines.others(than: code, at: now) else { return }
        var metadata: Logger.Metadata = ["room": "\(code)", "reason": "\(reason)"]
        if others > 0 { metadata["others"] = "\(others)" }
        loggers.write(.roomDoesNotOpen, metadata)
    }

    /// Logs a failure of the log or the read models, once a minute for each cause.
    public func logFailure(_ error: EventLogError, _ line: LogLine) {
        // These end the process, which logs them.
        guard error != .closed, error != .fenced else { return }
        if let metadata = failureLines.metadata(of: error, line, at: now) { loggers.write(line, metadata) }
    }
}
