/// A command that a connection has sent, until it is answered.
final class AskedCommand {
    let id: String
    let type: String
    let message: JSON
    /// Of the newest `hello` before it; nil where that had none, or there was none.
    let token: String?
    unowned let connection: ConnectionModel
    /// By the hub's clock, and the room's version then.
    let askedAt: Int
    let askedBehind: Int
    /// The connection has gone before an answer came: none will, but it may have been done, or be done yet.
    var isLost = false

    init(
        id: String, type: String, message: JSON, token: String?, connection: ConnectionModel, askedAt: Int,
        askedBehind: Int
    ) {
        (self.id, self.type, self.message, self.token) = (id, type, message, token)
        (self.connection, self.askedAt, self.askedBehind) = (connection, askedAt, askedBehind)
    }
}
