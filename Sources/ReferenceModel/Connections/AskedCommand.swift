import JSON

/// A command that a connection has sent, until it is answered.
final class AskedCommand {
    let id: String
    let type: String
    let message: Value
    /// The token of the newest `hello` before it; nil if there was none.
    let token: String?
    private let accounts: AccountsModel
    /// The player of the connection's newest greeting; nil if none so far.
    private(set) var greeted: String?
    /// By the hub's clock, with the room's version then.
    let askedAt: Int
    private(set) var askedBehind: Int
    /// The connection has closed before the answer. The command may have been done, or may still be.
    var isLost = false

    init(
        id: String, type: String, message: Value, token: String?, greeted: String?, accounts: AccountsModel,
        askedAt: Int, askedBehind: Int
    ) {
        (self.id, self.type, self.message, self.token) = (id, type, message, token)
        (self.greeted, self.accounts, self.askedAt, self.askedBehind) = (greeted, accounts, askedAt, askedBehind)
    }

    /// Commands that leave nothing in the log.
    static let ofChat: Set = ["say", "react"]
    var isOfChat: Bool { Self.ofChat.contains(type) }

    /// Whether this player may have sent it.
    func may(be player: String) -> Bool {
        accounts.player(of: token) == player || greeted == player || !accounts.isClear(token)
    }

    /// The room has gone back to this version.
    func goBack(to version: Int) { askedBehind = min(askedBehind, version) }

    /// The sender is greeted as this player.
    func greet(_ player: String?) { if greeted == nil { greeted = player } }
}
