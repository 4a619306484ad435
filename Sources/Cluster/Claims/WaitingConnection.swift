import Games
import Rooms
import WebProtocols

/// A WebSocket for a room whose home is not known yet or cannot be reached. Its client's messages wait. When the home
/// is known it becomes a member here or a relayed connection.
final class WaitingConnection: HubConnection {
    let channel: any SocketChannel
    let code: String
    let since: Milliseconds
    private unowned let desk: ClaimDesk
    /// The client's messages, in order.
    private var early: [[UInt8]] = []
    /// What it has become; nil while it waits.
    private var connection: (any HubConnection)?
    private(set) var isClosed = false

    init(_ channel: any SocketChannel, room code: String, at desk: ClaimDesk, now: Milliseconds) {
        (self.channel, self.code, self.desk, since) = (channel, code, desk, now)
    }

    /// False if the client has sent more than `limit` messages.
    func keep(_ text: [UInt8], limit: Int) -> Bool {
        guard early.count < limit else { return false }
        early.append(text)
        return true
    }

    /// Its room's home is known. The new connection gets the messages so far.
    func become(_ connection: any HubConnection) {
        self.connection = connection
        for text in early { connection.messageArrived(text.span.bytes) }
        early = []
    }

    func messageArrived(_ bytes: RawSpan) {
        if let connection { connection.messageArrived(bytes) } else { desk.messageArrived(bytes, from: self) }
    }

    func drained() { connection?.drained() }

    func closed() {
        if let connection { connection.closed() } else { desk.closed(self) }
    }

    func close(_ code: CloseCode, _ reason: String) {
        if let connection { return connection.close(code, reason) }
        guard !isClosed else { return }
        isClosed = true
        channel.close(code, reason)
    }
}
