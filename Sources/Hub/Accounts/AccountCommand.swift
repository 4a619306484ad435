import Games
import RoomRules

/// What may be asked of accounts.
enum AccountCommand: Equatable, Sendable {
    /// A new account with this name and its first device; where the device has an account, only that it is this.
    case register(PlayerName, NewDevice)
    case rename(PlayerName)
    /// One more device, by a code.
    case addDevice(NewDevice, AccountCode)
    case revoke(device: String)
    case makeLinkCode
    case makeRecoveryCode
    /// Gives up the name, every device, and the account with them.
    case forget

    /// A device that is to be an account's.
    struct NewDevice: Equatable, Sendable {
        /// Most characters of a label.
        static let labelLimit = 60

        /// SHA-256 of its token, in hex.
        let tokenHash: String
        let label: String

        /// Control characters in `label` become blanks, and what turns text round is taken out.
        init(tokenHash: String, label: String) throws(Rejection) {
            let label = label.onOneLine
            guard label.unicodeScalars.count <= Self.labelLimit else {
                throw .badField("device", "at most \(Self.labelLimit) characters long")
            }
            (self.tokenHash, self.label) = (tokenHash, label)
        }
    }

    /// Whether it may change who somebody is who is connected, or how they are called.
    var isNoticed: Bool {
        switch self {
        case .rename, .revoke, .forget: true
        case .register, .addDevice, .makeLinkCode, .makeRecoveryCode: false
        }
    }
}

/// What comes of a command, once it is durable.
enum AccountAnswer: Equatable, Sendable {
    /// Who bears the name; `isNew` where the account has just been made.
    case player(PlayerID, name: String, isNew: Bool)
    case device(PlayerID, name: String, by: AccountEvent.Way, isNew: Bool)
    /// The only time that the code is shown; without `until` it has no end.
    case code(AccountCode, until: Milliseconds?)
    case gone
}

extension Rejection {
    static let nameTaken = Rejection("name-taken", "This name is taken.")
    static let tokenHasName = Rejection("token-has-name", "The player with this token already has another name.")
    /// Whoever has the code may know whose it is: a page asks before it becomes somebody else.
    static func tokenIsAnothers(than name: String) -> Rejection {
        Rejection(
            "token-has-name", "This device already belongs to another player, not to \(name).",
            values: ["name": .string(name)])
    }
    static let unknownCode = Rejection(
        "unknown-code", "There is no such code: it is wrong, used or expired.")
    static let noSuchDevice = Rejection("no-such-device", "You have no such device.")
    static let lastDevice = Rejection(
        "last-device", "This is your last device. Make a recovery code first, or you could not come back.")
    static let tooManyDevices = Rejection(
        "too-many-devices", "A player can have at most \(Account.deviceLimit) devices. Revoke one first.",
        values: ["limit": .integer(Account.deviceLimit)])
    static let tooManyChanges = Rejection(
        "too-many-changes", "At most \(Account.changesPerDay) changes in 24 hours. Try again later.",
        values: ["limit": .integer(Account.changesPerDay)])
}
