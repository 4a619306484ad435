import EventStore
import Games
import Records
import RoomRules

/// A player's account, folded from the stream `account/<id>`. Rooms keep only its id, since names and devices change.
struct Account: Equatable, Sendable {
    /// Most devices of an account: more than anyone carries, and few enough for one commit to forget them all.
    static let deviceLimit = 20
    /// Most changes in 24 hours, apart from giving up devices or the account. The whole stream is read each time that
    /// its player connects.
    static let changesPerDay = 100
    private static let day: Milliseconds = 86_400_000

    struct Device: Equatable, Sendable {
        let id: String
        /// SHA-256 of its token, in hex.
        let tokenHash: String
        let label: String
        let by: AccountEvent.Way
        let since: Milliseconds
        /// Where the token's stream ends.
        let end: StreamEnd
    }

    /// A code in a link, which works once, before `until`.
    struct LinkCode: Equatable, Sendable {
        let hash: String
        let until: Milliseconds
    }

    /// A code for a player who has lost every device. It works once.
    struct RecoveryCode: Equatable, Sendable {
        let hash: String
        /// The id of the device that asked for it.
        let device: String
    }

    /// 16 hexadecimal digits.
    let id: PlayerID
    private(set) var name = ""
    /// The name in the form that is compared.
    private(set) var folded = ""
    /// Where the name's stream ends.
    private(set) var nameEnd: StreamEnd
    /// In the order in which they were added.
    private(set) var devices: [Device] = []
    private(set) var recovery: RecoveryCode?
    private(set) var link: LinkCode?
    /// Where the account's stream ends.
    private(set) var end: StreamEnd
    /// The times of its newest changes.
    private var changes: [Milliseconds]

    /// Folds the account's whole stream; nil if there are no records. Throws if one is not an account's, because it is
    /// damaged or written by a newer hub.
    init?(_ records: [Record]) throws(EventLogError) {
        guard let first = records.first else { return nil }
        guard case .opened(let id, _) = AccountEvent(first) else { throw .notAnAccounts(first) }
        (self.id, nameEnd, end) = (id, StreamName.name("").start, first.end)
        changes = [first.event.time]
        for record in records.dropFirst() {
            guard let event = AccountEvent(record) else { throw .notAnAccounts(record) }
            apply(event, at: record.event.time)
            end = record.end
        }
        guard !folded.isEmpty else { throw .notAnAccounts(first) }
    }

    private mutating func apply(_ event: AccountEvent, at time: Milliseconds) {
        changes = changes.suffix(Self.changesPerDay - 1) + [time]
        switch event {
        case .opened: break
        case .named(let name, let folded, let end): (self.name, self.folded, nameEnd) = (name, folded, end)
        case .deviceAdded(let device):
            devices.append(
                Device(
                    id: device.id, tokenHash: device.tokenHash, label: device.label, by: device.by, since: time,
                    end: StreamEnd(version: 1, head: device.head)))
            switch device.by {
            case .registration: break
            case .link: link = nil
            case .recovery: recovery = nil
            }
        case .deviceRevoked(let id, let by):
            devices.removeAll { $0.id == id }
            // The revoked device may have made this code.
            link = nil
            // A device that signs itself out keeps its code as the way back.
            if id != by, recovery?.device == id { recovery = nil }
        case .recoveryCodeMade(let hash, let device): recovery = RecoveryCode(hash: hash, device: device)
        case .linkCodeMade(let hash, let until): link = LinkCode(hash: hash, until: until)
        }
    }

    func device(tokenHash: String) -> Device? { devices.first { $0.tokenHash == tokenHash } }

    /// Whether it has had all the changes that 24 hours allow.
    func isPastLimit(at now: Milliseconds) -> Bool {
        changes.count { $0 > now - Self.day } >= Self.changesPerDay
    }
}

extension EventLogError {
    /// A record that makes an account's stream unreadable.
    static func notAnAccounts(_ record: Record) -> EventLogError {
        let place = "version \(record.version) of \(record.stream.shownInLogs)"
        return .cannotRead(reason: "\(place) is not a record of an account that this hub can read")
    }
}
