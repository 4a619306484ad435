import Records

/// The content of the stream `hub`: which log this is, when rooms could not be played, and which nodes serve them.
public struct HubHistory: Equatable, Sendable {
    public var log: LogOrigin?
    public var outages = Outages()
    public private(set) var roll = NodeRoll()

    public init(_ records: [Record] = []) { for record in records { _ = apply(record) } }

    /// Returns whether the serving nodes have changed.
    public mutating func apply(_ record: Record) -> Bool {
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
