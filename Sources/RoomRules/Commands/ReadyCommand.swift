import Cryptography
import Games
import JSON

/// Opens the nonce that was committed to, and may commit to the next.
struct ReadyCommand: OwnCommand {
    static let type = "ready"
    static let isTheHosts = false
    static let whileDealing = WhileDealing.isJudged

    let nonce: Nonce
    let next: Digest?

    init(_ fields: Fields) throws(Rejection) {
        guard let nonce = fields["nonce"]?.string.flatMap({ Nonce(hex: $0) }) else {
            throw .badField("nonce", "\(nonceSize) bytes as \(2 * nonceSize) hexadecimal digits")
        }
        self.nonce = nonce
        next = try fields.commitment()
    }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard let seat = room.seat(of: player) else { throw .notSeated }
        guard room.phase == .dealing, let dealing = room.dealing else { throw .notDealing }
        guard dealing.awaited.contains(seat) else { throw .notAwaited }
        let promised = dealing.start.players.first { $0.seat == seat }?.commitment
        guard nonce.commitment == promised else { throw .wrongNonce }
        decision.add(Ready(seat: seat, nonce: nonce, next: next))
        if let dealing = decision.state.dealing, dealing.awaited.isEmpty { decision.deal(dealing.start) }
    }
}

extension Rejection {
    fileprivate static let notDealing = Rejection("not-dealing", "No game is being dealt.")
    fileprivate static let notAwaited = Rejection(
        "not-awaited", "No nonce is expected from you. You committed to none, or have already sent it.")
    fileprivate static let wrongNonce = Rejection("wrong-nonce", "This nonce does not match your commitment.")
}
