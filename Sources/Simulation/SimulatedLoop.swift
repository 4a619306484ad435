import Hub
import Transport

/// A loop of a hub, as its world sees it.
final class SimulatedLoop {
    var letters: [HubLetter] = []
    var arrivals: [Arrival] = []
    /// Whether posts are late, and those that came since.
    var isPostHeld = false
    var held: [HubLetter] = []
    var timers = Timers()
    var isTurning = false
    var isBlocked = false
    /// Hub time at which it was blocked.
    var blockedSince: Int?
    /// World time of the earliest wake-up that is on the agenda.
    var wakesAt = Int.max

    var hasWork: Bool { !letters.isEmpty || !arrivals.isEmpty }

    func takeArrivals() -> [Arrival] {
        defer { arrivals = [] }
        return arrivals
    }

    func takeLetters() -> [HubLetter] {
        defer { letters = [] }
        return letters
    }

    /// Since when it was blocked. Returns it once.
    func takeBlockedSince() -> Int? {
        defer { blockedSince = nil }
        return blockedSince
    }
}

/// What arrives over connections.
enum Arrival {
    case request(HTTPExchange)
    /// The connection of a request ends.
    case cut(HTTPExchange)
    case opened(Link, WebSocketPurpose)
    case message(Link, [UInt8])
    case drained(Link)
    case closed(Link)
    /// From another node.
    case node(NodeLines.Message)
}
