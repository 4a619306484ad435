import EventStore

/// What a run has come to.
struct Counts {
    var events = 0
    var frames = 0
    var messages = 0
    var starts = 0
    var failedStarts = 0
    var rests = 0
    var faults: [FaultKind: Int] = [:]
    var closings: [Int: Int] = [:]
    /// By the event's type and what had befallen the hub lately.
    var eventTypes: [String: Int] = [:]

    mutating func note(_ record: Record, _ faults: UInt32) {
        events += 1
        eventTypes[record.event.type, default: 0] += 1
    }
}
