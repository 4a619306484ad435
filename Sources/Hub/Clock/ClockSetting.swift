import EventStore
import Foundation
import Games
import JSON
import Records

/// Which of two clocks is right, where they are over a day apart: said by whoever runs the hub.
public enum TrustedClock: String, Sendable, CaseIterable {
    /// The times in the log: the system's clock is late.
    case log
    /// The system's clock: the times in the log are of a wrong one.
    case system
}

/// The log is further ahead of the system's clock than any clock goes wrong by itself.
public struct ClockAheadError: Error, Equatable, CustomStringConvertible {
    public let log: Milliseconds
    public let system: Milliseconds

    public var description: String {
        """
        The newest time in the log is \(Self.text(log)), but the system's clock says \(Self.text(system)): set the \
        clock, or say which of the two is right by --clock system or --clock log.
        """
    }

    private static func text(_ time: Milliseconds) -> String {
        // Years of five digits are no dates to anybody.
        guard (0...HubTime.latest).contains(time) else { return "\(time) ms after 1970" }
        return Date(timeIntervalSince1970: Double(time) / 1_000).formatted(.iso8601)
    }
}

/// Noted in the stream `hub`: the system's clock was said to be right. What the log held before does not say what time
/// it is, then or later; nor does any room, since one that a wrong clock has led away goes on from there.
struct ClockSetting: HubStreamEntry, Equatable {
    static let type = "clock-set"
    /// The log may be ahead of the system's clock by so much before somebody is asked.
    static let tolerance: Milliseconds = 86_400_000

    /// The newest time in the log.
    let from: Milliseconds
    /// The system's, which was right.
    let to: Milliseconds

    /// As it stands in the log.
    func commit(expecting end: StreamEnd) -> Commit {
        let fields: Fields = ["type": .string(Self.type), "from": .integer(from), "to": .integer(to)]
        let event = Event(time: to, type: Self.type, shown: JSONWriter.bytes(fields))
        return Commit(id: "\(Self.type)/\(from)/\(to)", appending: [event], to: .hub, expecting: end)
    }
}
