import EventStore
import Games
import Records
import RoomRules

/// A player's account: a fold of the stream `account/<id>`. Rooms know the id alone; names and devices come and go.
struct Account: Equatable, Sendable {
    /// Devices that an account may have: more than anybody carries, so few that one commit forgets them all.
    static let deviceLimit = 20
    /// Changes in 24 hours, but for giving up: a stream is read as a whole each time that its player connects.
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

    /// A code that a link carries: works once, until then.
    struct LinkCode: Equatable, Sendable {
        let hash: String
        let until: Milliseconds
    }

    /// A code for who has lost every device: works once.
    struct RecoveryCode: Equatable, Sendable {
        let hash: String
        /// The id of the device that asked for it.
        let device: String
    }

    /// 16 hexadecimal digits.
    let id: PlayerID
    private(set) var name = ""
    /// The name as names are compared.
    private(set) var folded = ""
    /// Where the name's stream ends.
    private(set) var nameEnd: StreamEnd
    /// In the order in which they were added.
    private(set) var devices: [Device] = []
    private(set) var recovery: RecoveryCode?
    private(set) var link: LinkCode?
    /// Where the account's stream ends.
    private(set) var end: StreamEnd
    /// When the newest things happened to it.
    private var changes: [Milliseconds]

    /// All of the account's stream; nil where it has no record. Throws where one is no account's: a newer hub's, or
    /// damaged.
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
            // It may have been that device which asked for the code.
            link = nil
            // A device that signs itself out keeps its code as the way back.
            if id != by, recovery?.device == id { recovery = nil }
        case .recoveryCodeMade(let hash, let device): recovery = RecoveryCode(hash: hash, device: device)
        case .linkCodeMade(let hash, let until): link = LinkCode(hash: hash, until: until)
        }
    }

    func device(tokenHash: String) -> Device? { devices.first { $0.tokenHash == tokenHash } }

    /// Whether so much has happened to it in 24 hours that no more may.
    func isPastLimit(at now: Milliseconds) -> Bool {
        changes.count { $0 > now - Self.day } >= Self.changesPerDay
    }
}

extension EventLogError {
    /// A record that makes its stream unreadable as one of accounts.
    static func notAnAccounts(_ record: Record) -> EventLogError {
        let place = "version \(record.version) of \(record.stream.shownInLogs)"
        return .cannotRead(reason: "\(place) is nothing that this hub knows of accounts")
    }
}
