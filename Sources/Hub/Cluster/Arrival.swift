import Games
import WebProtocols

/// A WebSocket for a room whose home is not known yet, or cannot be reached: what its client says waits. Once the home
/// is known it stands for what it has become there.
final class Arrival: RoomConnection {
    let channel: any SocketChannel
    let code: String
    let since: Milliseconds
    /// What the client has said, in order.
    private(set) var early: [[UInt8]] = []
    /// A member here, or a relayed connection.
    var connection: (any RoomConnection)?
    private(set) var isClosed = false

    init(_ channel: any SocketChannel, room code: String, now: Milliseconds) {
        (self.channel, self.code, since) = (channel, code, now)
    }

    /// False where the client has said too much.
    func keep(_ text: [UInt8], limit: Int) -> Bool {
        guard early.count < limit else { return false }
        early.append(text)
        return true
    }

    func takeEarly() -> [[UInt8]] {
        defer { early = [] }
        return early
    }

    func close(_ code: CloseCode, _ reason: String) {
        if let connection { return connection.close(code, reason) }
        guard !isClosed else { return }
        isClosed = true
        channel.close(code, reason)
    }
}
