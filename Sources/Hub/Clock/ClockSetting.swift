import Foundation
import Games
import JSON
import Records
import RoomRules
import Transport

/// Which of two clocks the operator trusts if they are over a day apart.
public enum TrustedClock: String, Sendable, CaseIterable {
    /// The times in the log are right, and the system's clock is behind.
    case log
    /// The system's clock is right, and the log's times come from a wrong one.
    case system
}

/// The log is further ahead of the system's clock than any clock drifts by itself.
public struct ClockAheadError: Error, Equatable, CustomStringConvertible {
    public let log: Milliseconds
    public let system: Milliseconds

    public var description: String {
        """
        The newest time in the log is \(Self.text(log)), but the system's clock says \(Self.text(system)). Set the \
        clock, or say with --clock system or --clock log which of the two is right.
        """
    }

    private static func text(_ time: Milliseconds) -> String {
        // Years of five digits are not readable as dates.
        guard (0...ClockReading.latestMilliseconds).contains(time) else { return "\(time) ms after 1970" }
        return Date(timeIntervalSince1970: Double(time) / 1_000).formatted(.iso8601)
    }
}

/// Written into the stream `hub` when the operator says that the system's clock is right. Older records then say
/// nothing about the time, then or later. Nor do rooms, which continue from where a wrong clock has moved them.
struct ClockSetting: HubStreamEntry, Equatable {
    static let type = "clock-set"
    /// How far the log may be ahead of the system's clock before the operator must decide.
    static let tolerance: Milliseconds = 86_400_000

    /// The newest time in the log.
    let from: Milliseconds
    /// The system's time, which was right.
    let to: Milliseconds

    func commit(expecting end: StreamEnd) -> Commit {
        let fields: Fields = ["type": .string(Self.type), "from": .integer(from), "to": .integer(to)]
        let event = Event(time: to, type: Self.type, shown: JSONWriter.bytes(fields))
        return Commit(id: "\(Self.type)/\(from)/\(to)", appending: [event], to: .hub, expecting: end)
    }
}
