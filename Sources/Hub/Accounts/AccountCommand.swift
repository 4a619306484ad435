import Games
import RoomRules

enum AccountCommand: Equatable, Sendable {
    /// Makes an account with this name and its first device. A device that has an account must have this name already.
    case register(PlayerName, NewDevice)
    case rename(PlayerName)
    /// Adds a device by a code.
    case addDevice(NewDevice, AccountCode)
    case revoke(device: String)
    case makeLinkCode
    case makeRecoveryCode
    /// Gives up the name, every device, and the account with them.
    case forget

    /// A device that joins an account.
    struct NewDevice: Equatable, Sendable {
        /// Most characters of a label.
        static let labelLimit = 60

        /// SHA-256 of its token, in hex.
        let tokenHash: String
        let label: String

        /// Turns control characters in `label` into blanks, and removes characters that change the direction of text.
        init(tokenHash: String, label: String) throws(Rejection) {
            let label = label.onOneLine
            guard label.unicodeScalars.count <= Self.labelLimit else {
                throw .badField("device", "at most \(Self.labelLimit) characters long")
            }
            (self.tokenHash, self.label) = (tokenHash, label)
        }
    }

    /// Whether it may change a connected player's account or name.
    var isNoticed: Bool {
        switch self {
        case .rename, .revoke, .forget: true
        case .register, .addDevice, .makeLinkCode, .makeRecoveryCode: false
        }
    }
}

/// The result of a command, once it is durable.
enum AccountAnswer: Equatable, Sendable {
    /// The player who has the name; `isNew` if the account was just made.
    case player(PlayerID, name: String, isNew: Bool)
    case device(PlayerID, name: String, by: AccountEvent.Way, isNew: Bool)
    /// The only time that the code is shown; a nil `until` means that it does not expire.
    case code(AccountCode, until: Milliseconds?)
    case gone
}

extension Rejection {
    static let nameTaken = Rejection("name-taken", "This name is taken.")
    static let tokenHasName = Rejection("token-has-name", "The player with this token already has another name.")
    /// The name is no secret from the code's holder, and lets the page ask before it becomes another player.
    static func tokenIsAnothers(than name: String) -> Rejection {
        Rejection(
            "token-has-name", "This device already belongs to another player, not to \(name).",
            values: ["name": .string(name)])
    }
    static let unknownCode = Rejection("unknown-code", "This code is wrong, used or expired.")
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
