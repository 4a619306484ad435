/// Limits the bytes of greetings on their way to a node. Without it a crowd that reconnects would overflow the link,
/// which would be cut, and the crowd would reconnect again.
final class GreetingWindow {
    /// For all loops of this node together. A larger greeting is sent when no other is on its way.
    static let limit = 1 << 20

    /// The connections that wait, in order. Some may have gone.
    private var waiting: [RelayedID] = []
    private let limit: Int
    private var underWay = 0

    init(loops: Int) { limit = Self.limit / loops }

    /// Reserves bytes for a connection. False if they do not fit or others have waited longer. Then it waits too.
    func reserve(_ bytes: Int, for id: RelayedID, isWaiting: Bool) -> Bool {
        let isNext = waiting.isEmpty || waiting.first == id
        guard isNext, underWay == 0 || underWay + bytes <= limit else {
            if !isWaiting { waiting.append(id) }
            return false
        }
        if !waiting.isEmpty { waiting.removeFirst() }
        underWay += bytes
        return true
    }

    /// This many bytes have arrived.
    func acknowledge(_ bytes: Int) { underWay = max(0, underWay - bytes) }

    /// The connection that has waited longest.
    var first: RelayedID? { waiting.first }

    /// The first no longer waits.
    func dropFirst() { waiting.removeFirst() }
}
