import Cryptography
import WebProtocols

/// The newest events of a room, oldest first, for members that resume.
struct RecentEvents {
    /// At least this many are kept.
    static let limit = 256

    private var events: [ShownEvent] = []

    mutating func append(_ event: ShownEvent) {
        events.append(event)
        // Cut to the limit only past twice the limit, so that most events move nothing.
        if events.count > Self.limit * 2 { events.removeFirst(Self.limit) }
    }

    /// The events after `version`, and the head there; nil if these are no longer kept.
    mutating func behind(_ version: Int) -> (head: Digest, frames: [Frame])? {
        guard let first = events.first, version >= first.version, version - first.version < events.count else {
            return nil
        }
        let index = version - first.version
        return (events[index].hash, events.indices[(index + 1)...].map { events[$0].frame })
    }
}
