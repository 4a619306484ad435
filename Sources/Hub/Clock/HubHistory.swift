import EventStore
import Records
import RoomRules

/// The content of the stream `hub`: which log this is, when rooms could not be played, and which nodes serve them.
struct HubHistory: Equatable, Sendable {
    var log: LogOrigin?
    var outages = Outages()
    private(set) var roll = NodeRoll()

    init(_ records: [Record] = []) { for record in records { _ = apply(record) } }

    /// Returns whether the serving nodes have changed.
    mutating func apply(_ record: Record) -> Bool {
        if let outage = Outage(record) {
            outages.add(outage)
            return false
        }
        if let origin = LogOrigin(record) {
            log = origin
            return false
        }
        guard let node = NodeRecord(record) else { return false }
        return roll.apply(node)
    }
}
