import Cryptography
import EventStore
import Games

/// What proves who somebody is: 32 random bytes, drawn by the client; the hub keeps their hash alone.
struct PlayerToken: Equatable {
    private let bytes: [UInt8]

    /// Nil unless `text` is 32 bytes in base64url (RFC 4648 section 5, without padding).
    init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = [UInt8](base64URL: text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// SHA-256 in hex: what is stored and looked up.
    var hash: String { SHA256.digest(of: bytes).hex }

    /// The id of the player who bears this token: follows from it, so that registering twice gives the same one.
    var player: PlayerID {
        String(SHA256.digest(of: "flipside/player/1" + hash).hex.prefix(16))
    }
}

// Players in their streams.
extension PlayerRow {
    static let registered = "player-registered"

    /// The player whom registering this name with this token makes.
    init(registering name: PlayerName, with token: PlayerToken) {
        let shown = Self.shown(id: token.player, name: name.text, folded: name.folded, tokenHash: token.hash)
        let origin = StreamName.player(name.folded).origin
        self.init(
            id: token.player, name: name.text, folded: name.folded, tokenHash: token.hash,
            head: Record.head(after: origin, shown: shown, sealed: nil, with: SHA256()))
    }

    /// The commit that registers this player: the same again for the same token and the same writing of the name.
    func commit(at time: Milliseconds) -> Commit {
        let shown = Self.shown(id: id, name: name, folded: folded, tokenHash: tokenHash)
        return Commit(
            id: "register/\(head.hex)", appending: [Event(time: time, type: Self.registered, shown: shown)],
            to: .player(folded), expecting: StreamName.player(folded).start)
    }

    /// The commit that gives this player's name up: a conflict where somebody else bears it by now, or nobody.
    var forgetting: Commit {
        Commit(
            id: "forget/\(head.hex)",
            parts: [.erase(.player(folded), expecting: StreamEnd(version: 1, head: head))])
    }

    private static func shown(id: String, name: String, folded: String, tokenHash: String) -> [UInt8] {
        JSONWriter.bytes([
            "type": .string(registered), "id": .string(id), "name": .string(name), "folded": .string(folded),
            "tokenHash": .string(tokenHash),
        ])
    }

    /// Nil for records that register nobody.
    init?(_ record: Record) {
        guard record.event.type == Self.registered, let fields = (try? JSONReader.read(record.event.shown))?.object,
            let id = fields["id"]?.string, let name = fields["name"]?.string, let folded = fields["folded"]?.string,
            let tokenHash = fields["tokenHash"]?.string
        else { return nil }
        self.init(id: id, name: name, folded: folded, tokenHash: tokenHash, head: record.hash)
    }
}
