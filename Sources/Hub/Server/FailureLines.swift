import EventStore
import Games
import Logging

/// Says why the log or the read models did not do what they were asked. A client is told only that it failed; the cause
/// is in the log of what happens, each once a minute.
struct FailureLines {
    /// The same cause has one line in so long.
    static let pause: Milliseconds = 60_000
    /// Causes that are told apart in that time; others are only counted. Each names what failed, so there may be many.
    static let causeLimit = 16

    private var told: [String: Milliseconds] = [:]
    /// Failures without a line since the last line.
    private var untold = 0

    /// What has failed at `now`; `attempt` says what was tried.
    mutating func note(_ error: EventLogError, _ attempt: String, at now: Milliseconds, _ logger: Logger) {
        guard let others = others(than: attempt + ": " + error.sentence, at: now) else { return }
        var metadata: Logger.Metadata = ["reason": "\(error.sentence)"]
        if others > 0 { metadata["others"] = "\(others)" }
        logger.warning("\(attempt)", metadata: metadata)
    }

    /// How many failures had no line since the last line; nil where this one, of `cause`, is to have none either.
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
    /// What of it has failed, and why; nil where nothing has.
    fileprivate var failure: (error: EventLogError, attempt: String)? {
        switch self {
        // Said of the room.
        case .loaded(_, .failure(.chainBroken(let stream, _))) where stream.roomCode != nil: nil
        case .followFailed(_, .chainBroken(let stream, _)) where stream.roomCode != nil: nil
        case .settled(_, .unavailable(let error)): (error, "the log did not take a write")
        case .loaded(_, .failure(let error)): (error, "the log did not give what was to be read")
        case .followFailed(_, let error): (error, "the log cannot be followed")
        default: nil
        }
    }
}

extension RoomSurroundings {
    /// Says why, if the log has not done what it was asked. While it takes no writes that was said when it began.
    func note(_ message: LogMessage) {
        guard let (error, attempt) = message.failure, !isLogDown else { return }
        note(error, attempt)
    }

    /// Says why a room cannot be read: once a minute, however many ask for it.
    func noteBrokenRoom(_ code: String, _ reason: String) {
        guard let others = brokenRoomLines.others(than: code, at: now) else { return }
        var metadata: Logger.Metadata = ["room": "\(code)", "reason": "\(reason)"]
        if others > 0 { metadata["others"] = "\(others)" }
        loggers.rooms.error("room does not open", metadata: metadata)
    }

    /// Says why, if the read models have not answered.
    func note(_ answer: ReadModelAnswer) {
        if let error = answer.failure { note(error, "the read models did not answer") }
    }

    /// Says why, if what was written to the read models is not there yet.
    func noteUnwrittenRows() {
        if let error = readModels.writeFailure { note(error, "the read models cannot be written: lists are old") }
    }

    private func note(_ error: EventLogError, _ attempt: String) {
        // These end the process, which says so.
        guard error != .closed, error != .fenced else { return }
        failureLines.note(error, attempt, at: now, loggers.log)
    }
}
