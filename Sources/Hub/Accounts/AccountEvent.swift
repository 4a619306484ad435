import Cryptography
import Games
import JSON
import Records
import RoomRules

/// An event of an account's stream.
enum AccountEvent: Equatable, Sendable {
    /// `salt` keeps anyone from guessing the erased data from the head that remains.
    case opened(id: PlayerID, salt: String)
    /// The account's only name from now on. `end` is the end of the name's stream.
    case named(name: String, folded: String, end: StreamEnd)
    /// `head` belongs to the token's stream, which has one record.
    case deviceAdded(Device)
    /// `by` is the device that revoked it, possibly the same one.
    case deviceRevoked(id: String, by: String)
    /// `device` asked for it.
    case recoveryCodeMade(hash: String, device: String)
    case linkCodeMade(hash: String, until: Milliseconds)

    struct Device: Equatable, Sendable {
        let id: String
        /// SHA-256 of its token, in hex.
        let tokenHash: String
        /// The player's name for it; empty if there is none.
        let label: String
        let head: Digest
        let by: Way
    }

    /// How a device joined an account.
    enum Way: String, Sendable {
        case registration, link, recovery
    }

    enum Kind: String, CaseIterable {
        case opened = "account-opened"
        case named = "account-named"
        case deviceAdded = "device-added"
        case deviceRevoked = "device-revoked"
        case recoveryCodeMade = "recovery-code-made"
        case linkCodeMade = "link-code-made"
    }

    var kind: Kind {
        switch self {
        case .opened: .opened
        case .named: .named
        case .deviceAdded: .deviceAdded
        case .deviceRevoked: .deviceRevoked
        case .recoveryCodeMade: .recoveryCodeMade
        case .linkCodeMade: .linkCodeMade
        }
    }

    private var fields: Fields {
        switch self {
        case .opened(let id, let salt): ["id": .string(id), "salt": .string(salt)]
        case .named(let name, let folded, let end):
            [
                "name": .string(name), "folded": .string(folded), "version": .integer(end.version),
                "head": .string(end.head.hex),
            ]
        case .deviceAdded(let device):
            [
                "device": .string(device.id), "tokenHash": .string(device.tokenHash), "label": .string(device.label),
                "head": .string(device.head.hex), "by": .string(device.by.rawValue),
            ]
        case .deviceRevoked(let id, let by): ["device": .string(id), "by": .string(by)]
        case .recoveryCodeMade(let hash, let device): ["hash": .string(hash), "device": .string(device)]
        case .linkCodeMade(let hash, let until): ["hash": .string(hash), "until": .integer(until)]
        }
    }

    func event(at time: Milliseconds) -> Event { Event(type: kind.rawValue, fields, at: time) }

    /// Nil if the record is not an account's event.
    init?(_ record: Record) {
        guard let kind = Kind(rawValue: record.event.type), let fields = record.event.fields else { return nil }
        switch kind {
        case .opened:
            guard let id = fields["id"]?.string, let salt = fields["salt"]?.string else { return nil }
            self = .opened(id: id, salt: salt)
        case .named:
            guard let name = fields["name"]?.string, let folded = fields["folded"]?.string,
                let version = fields["version"]?.integer, let head = fields["head"]?.digest
            else { return nil }
            self = .named(name: name, folded: folded, end: StreamEnd(version: version, head: head))
        case .deviceAdded:
            guard let id = fields["device"]?.string, let tokenHash = fields["tokenHash"]?.string,
                let label = fields["label"]?.string, let head = fields["head"]?.digest,
                let by = fields["by"]?.string.flatMap({ Way(rawValue: $0) })
            else { return nil }
            self = .deviceAdded(Device(id: id, tokenHash: tokenHash, label: label, head: head, by: by))
        case .deviceRevoked:
            guard let id = fields["device"]?.string, let by = fields["by"]?.string else { return nil }
            self = .deviceRevoked(id: id, by: by)
        case .recoveryCodeMade:
            guard let hash = fields["hash"]?.string, let device = fields["device"]?.string else { return nil }
            self = .recoveryCodeMade(hash: hash, device: device)
        case .linkCodeMade:
            guard let hash = fields["hash"]?.string, let until = fields["until"]?.integer else { return nil }
            self = .linkCodeMade(hash: hash, until: until)
        }
    }
}

/// The record of a name's stream, which says who has the name. Another follows if the player changes its spelling.
struct NameGiven: Equatable, Sendable {
    static let type = "name-given"

    let account: PlayerID
    let name: String
    let folded: String
    let salt: String

    func event(at time: Milliseconds) -> Event {
        Event(
            type: Self.type,
            [
                "account": .string(account), "name": .string(name), "folded": .string(folded), "salt": .string(salt),
            ], at: time)
    }

    /// Nil if the record is not one of a name.
    static func read(_ record: Record) -> Self? {
        guard record.event.type == Self.type, let fields = record.event.fields,
            let account = fields["account"]?.string, let name = fields["name"]?.string,
            let folded = fields["folded"]?.string, let salt = fields["salt"]?.string
        else { return nil }
        return Self(account: account, name: name, folded: folded, salt: salt)
    }
}

/// The only record of a token's stream, which says who has the token.
struct TokenGiven: Equatable, Sendable {
    static let type = "token-given"

    let account: PlayerID
    let salt: String

    func event(at time: Milliseconds) -> Event {
        Event(type: Self.type, ["account": .string(account), "salt": .string(salt)], at: time)
    }

    /// Nil if the record is not one of a token.
    static func read(_ record: Record) -> Self? {
        guard record.event.type == Self.type, let fields = record.event.fields,
            let account = fields["account"]?.string, let salt = fields["salt"]?.string
        else { return nil }
        return Self(account: account, salt: salt)
    }
}

extension Event {
    fileprivate init(type: String, _ fields: Fields, at time: Milliseconds) {
        let shown = (["type": .string(type)] as Fields).merging(fields)
        self.init(time: time, type: type, shown: JSONWriter.bytes(shown))
    }

    /// Nil if it is not JSON.
    fileprivate var fields: Fields? { (try? JSONReader.read(shown))?.object }
}

extension Value {
    fileprivate var digest: Digest? { string.flatMap { Digest(hex: $0) } }
}
