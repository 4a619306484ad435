import Games
import Rooms
import WebProtocols

/// A WebSocket for a room whose home is not known yet or cannot be reached. Its client's messages wait. When the home
/// is known it becomes a member here or a relayed connection.
final class Arrival: RoomConnection {
    let channel: any SocketChannel
    let code: String
    let since: Milliseconds
    /// The client's messages, in order.
    private(set) var early: [[UInt8]] = []
    /// What it has become; nil while it waits.
    var connection: (any RoomConnection)?
    private(set) var isClosed = false

    init(_ channel: any SocketChannel, room code: String, now: Milliseconds) {
        (self.channel, self.code, since) = (channel, code, now)
    }

    /// False if the client has sent more than `limit` messages.
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
