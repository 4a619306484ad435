import Records
import ReferenceModel

/// The totals of one run, or of several.
public struct Counts: Sendable {
    /// Records written.
    public private(set) var events = 0
    /// Messages to clients.
    public internal(set) var frames = 0
    /// Messages of clients that the hub read.
    public internal(set) var messages = 0
    /// Starts of a hub.
    public internal(set) var starts = 0
    /// How often everything came to rest, when nothing may still be waiting.
    public internal(set) var rests = 0
    /// Connections that the hub closed, by close code.
    public internal(set) var closings: [Int: Int] = [:]
    public internal(set) var faults: [FaultKind: Int] = [:]
    /// The events that were reached, and the faults before them.
    public internal(set) var reach = Reach()
    private var statuses: [StreamName: RoomSight.Status] = [:]
    private var last: (stream: StreamName, status: RoomSight.Status)?

    public init() {}

    /// A record was written after these recent faults.
    mutating func countRecord(_ record: Record, _ recent: UInt32) {
        events += 1
        let type = record.event.type
        var status = last?.stream == record.stream ? last?.status : statuses[record.stream]
        switch type {
        case "room-opened": status = .waiting
        case "dealing": status = .dealing
        case "game-started": status = .running
        case "game-ended": status = .ended
        case "room-closed": status = .closed
        default: break
        }
        if let status {
            if last?.stream != record.stream || last?.status != status { statuses[record.stream] = status }
            last = (record.stream, status)
        }
        reach.countEvent(type, status, recent)
    }

    public mutating func add(_ other: Counts) {
        (events, frames, messages) = (events + other.events, frames + other.frames, messages + other.messages)
        (starts, rests) = (starts + other.starts, rests + other.rests)
        closings.merge(other.closings) { $0 + $1 }
        faults.merge(other.faults) { $0 + $1 }
        reach.add(other.reach)
    }
}
