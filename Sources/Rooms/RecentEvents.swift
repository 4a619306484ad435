import Cryptography
import WebProtocols

/// The newest events of a room, oldest first, for those who resume.
struct RecentEvents {
    /// So many are kept at least.
    static let limit = 256

    private var events: [ShownEvent] = []

    mutating func append(_ event: ShownEvent) {
        events.append(event)
        // Twice the limit and then cut to it: so nothing is moved for most events.
        if events.count > Self.limit * 2 { events.removeFirst(Self.limit) }
    }

    /// What came behind `version`, and the head there; nil where that is not kept any more.
    mutating func behind(_ version: Int) -> (head: Digest, frames: [Frame])? {
        guard let first = events.first, version >= first.version, version - first.version < events.count else {
            return nil
        }
        let index = version - first.version
        return (events[index].hash, events.indices[(index + 1)...].map { events[$0].frame })
    }
}
