/// A command that a connection has sent, until it is answered.
final class AskedCommand {
    let id: String
    let type: String
    let message: JSON
    /// Of the newest `hello` before it; nil where that had none, or there was none.
    let token: String?
    private let accounts: AccountsModel
    /// Whom the connection was for by its newest greeting; nil: nobody, so far.
    private(set) var greeted: String?
    /// By the hub's clock, and the room's version then.
    let askedAt: Int
    private(set) var askedBehind: Int
    /// The connection has gone before an answer came: none will, but it may have been done, or be done yet.
    var isLost = false

    init(
        id: String, type: String, message: JSON, token: String?, greeted: String?, accounts: AccountsModel,
        askedAt: Int, askedBehind: Int
    ) {
        (self.id, self.type, self.message, self.token) = (id, type, message, token)
        (self.greeted, self.accounts, self.askedAt, self.askedBehind) = (greeted, accounts, askedAt, askedBehind)
    }

    /// What is in no log.
    static let ofChat: Set = ["say", "react"]
    var isOfChat: Bool { Self.ofChat.contains(type) }

    /// Whether this player may have asked for it.
    func may(be player: String) -> Bool {
        accounts.player(of: token) == player || greeted == player || !accounts.isClear(token)
    }

    /// The room has gone back to this version.
    func goBack(to version: Int) { askedBehind = min(askedBehind, version) }

    /// Whoever gave its token is greeted as this player.
    func greet(_ player: String?) { if greeted == nil { greeted = player } }
}
