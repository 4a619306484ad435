import Cryptography
import Games
import Records
import RoomRules

/// The result of a command on an account.
enum AccountDecision: Equatable {
    /// There is nothing to write.
    case answer(AccountAnswer)
    /// The answer holds once the commit is written. A conflict in one of the `taken` streams is that rejection. Any
    /// other conflict means that the account has changed.
    case commit(Commit, answer: AccountAnswer, taken: [StreamName: Rejection])
}

/// What else a command is judged by, besides the account.
struct AccountContext {
    let now: Milliseconds
    let random: any RandomSource
    /// SHA-256 of the requesting device's token, in hex; nil if the request has no token.
    var tokenHash: String?

    fileprivate func id() -> String { random.bytes(8).hex }
    /// The requesting device.
    fileprivate func device(of account: Account) throws(Rejection) -> Account.Device {
        guard let device = tokenHash.flatMap({ account.device(tokenHash: $0) }) else { throw .unknownToken }
        return device
    }

    fileprivate func salt() -> String { random.bytes(16).hex }
}

// Every commit starts with the account's stream and expects the end that was read. Of two that are judged at once, one
// is written and the other is judged again.
extension AccountCommand {
    /// How long a link's code works, which is enough to fetch the other device.
    static let linkSpan: Milliseconds = 600_000

    /// Judges the command on `account`, which is nil if there is none.
    func decide(on account: Account?, _ context: AccountContext) throws(Rejection) -> AccountDecision {
        if case .register(let name, let device) = self, account == nil { return register(name, device, context) }
        guard let account else { throw missing }
        switch self {
        case .register(let name, _):
            guard name.folded == account.folded else { throw .tokenHasName }
            return .answer(.player(account.id, name: account.name, isNew: false))
        case .rename(let name): return try rename(account, name, context)
        case .addDevice(let device, let code): return try add(device, to: account, by: code, context)
        case .revoke(let id): return try revoke(id, of: account, context)
        case .makeLinkCode:
            let until = context.now + Self.linkSpan
            return try make(of: account, until: until, context) { .linkCodeMade(hash: $0, until: until) }
        case .makeRecoveryCode:
            let device = try context.device(of: account).id
            return try make(of: account, until: nil, context) { .recoveryCodeMade(hash: $0, device: device) }
        case .forget:
            let parts: [Commit.Part] =
                [.erase(account.stream, expecting: account.end)]
                + [.erase(.name(account.folded), expecting: account.nameEnd)]
                + account.devices.map { .erase(.token($0.tokenHash), expecting: $0.end) }
            return .commit(Commit(id: account.commitID(context), parts: parts), answer: .gone, taken: [:])
        }
    }

    /// The refusal if there is no account.
    private var missing: Rejection { if case .addDevice = self { .unknownCode } else { .unknownToken } }

    private func register(_ name: PlayerName, _ device: NewDevice, _ context: AccountContext) -> AccountDecision {
        let id = context.id()
        let given = GivenName(name, to: id, behind: StreamName.name(name.folded).start, context)
        let token = JoinedDevice(device, id, by: .registration, context)
        let stream = StreamName.account(id)
        let events: [AccountEvent] = [.opened(id: id, salt: context.salt()), given.event, token.event]
        let parts: [Commit.Part] = [
            .append(events.map { $0.event(at: context.now) }, to: stream, expecting: stream.start), token.part,
            given.part,
        ]
        return .commit(
            Commit(id: CommitID(text: "\(id)/\(context.id())"), parts: parts),
            answer: .player(id, name: name.text, isNew: true), taken: [.name(name.folded): .nameTaken])
    }

    private func rename(
        _ account: Account, _ name: PlayerName, _ context: AccountContext
    ) throws(Rejection) -> AccountDecision {
        let answer = AccountAnswer.player(account.id, name: name.text, isNew: false)
        guard name.text != account.name else { return .answer(answer) }
        guard name.folded != account.folded else {
            // The same name in another spelling.
            let given = GivenName(name, to: account.id, behind: account.nameEnd, context)
            return try account.changed(by: given.event, given.part, answer: answer, context)
        }
        let given = GivenName(name, to: account.id, behind: StreamName.name(name.folded).start, context)
        return try account.changed(
            by: given.event, .erase(.name(account.folded), expecting: account.nameEnd), given.part, answer: answer,
            taken: [.name(name.folded): .nameTaken], context)
    }

    private func add(
        _ device: NewDevice, to account: Account, by code: AccountCode, _ context: AccountContext
    ) throws(Rejection) -> AccountDecision {
        if let known = account.device(tokenHash: device.tokenHash) {
            return .answer(.device(account.id, name: account.name, by: known.by, isNew: false))
        }
        guard let way = account.way(of: code, at: context.now) else { throw .unknownCode }
        guard account.devices.count < Account.deviceLimit else { throw .tooManyDevices }
        let token = JoinedDevice(device, account.id, by: way, context)
        return try account.changed(
            by: token.event, token.part, answer: .device(account.id, name: account.name, by: way, isNew: true),
            taken: [.token(device.tokenHash): .tokenIsAnothers(than: account.name)], context)
    }

    private func revoke(
        _ id: String, of account: Account, _ context: AccountContext
    ) throws(Rejection) -> AccountDecision {
        guard let device = account.devices.first(where: { $0.id == id }) else { throw .noSuchDevice }
        guard account.devices.count > 1 || account.recovery != nil else { throw .lastDevice }
        let asker = try context.device(of: account).id
        let erasure = Commit.Part.erase(.token(device.tokenHash), expecting: device.end)
        return .commit(
            account.commit(.deviceRevoked(id: id, by: asker), [erasure], context), answer: .gone, taken: [:])
    }

    private func make(
        of account: Account, until: Milliseconds?, _ context: AccountContext, as event: (String) -> AccountEvent
    ) throws(Rejection) -> AccountDecision {
        guard let code = AccountCode(of: account.id, random: context.random) else { throw .unknownToken }
        return try account.changed(by: event(code.hash), answer: .code(code, until: until), context)
    }
}

/// A new name: the record of its own stream, and the account's event.
private struct GivenName {
    let part: Commit.Part
    let event: AccountEvent

    init(_ name: PlayerName, to account: PlayerID, behind end: StreamEnd, _ context: AccountContext) {
        let record = NameGiven(account: account, name: name.text, folded: name.folded, salt: context.salt())
            .event(at: context.now)
        part = .append([record], to: .name(name.folded), expecting: end)
        event = .named(name: name.text, folded: name.folded, end: end.advanced(by: record))
    }
}

/// A new token: the record of its own stream, and the account's event.
private struct JoinedDevice {
    let part: Commit.Part
    let event: AccountEvent

    init(
        _ device: AccountCommand.NewDevice, _ account: PlayerID, by way: AccountEvent.Way, _ context: AccountContext
    ) {
        let stream = StreamName.token(device.tokenHash)
        let record = TokenGiven(account: account, salt: context.salt()).event(at: context.now)
        part = .append([record], to: stream, expecting: stream.start)
        event = .deviceAdded(
            AccountEvent.Device(
                id: context.id(), tokenHash: device.tokenHash, label: device.label,
                head: stream.start.advanced(by: record).head, by: way))
    }
}

extension Account {
    fileprivate var stream: StreamName { .account(id) }

    fileprivate func commitID(_ context: AccountContext) -> CommitID { CommitID(text: "\(id)/\(context.id())") }

    /// `event` in the account's stream, and the parts for other streams.
    fileprivate func commit(_ event: AccountEvent, _ others: [Commit.Part], _ context: AccountContext) -> Commit {
        let own = Commit.Part.append([event.event(at: context.now)], to: stream, expecting: end)
        return Commit(id: commitID(context), parts: [own] + others)
    }

    /// As `commit`, unless the account has changed too often.
    fileprivate func changed(
        by event: AccountEvent, _ others: Commit.Part..., answer: AccountAnswer,
        taken: [StreamName: Rejection] = [:], _ context: AccountContext
    ) throws(Rejection) -> AccountDecision {
        guard !isPastLimit(at: context.now) else { throw .tooManyChanges }
        return .commit(commit(event, others, context), answer: answer, taken: taken)
    }

    /// The way in which this code adds a device; nil if it adds none.
    fileprivate func way(of code: AccountCode, at now: Milliseconds) -> AccountEvent.Way? {
        if code.hash == recovery?.hash { return .recovery }
        return link.flatMap { $0.hash == code.hash && now < $0.until ? .link : nil }
    }
}

extension StreamEnd {
    fileprivate func advanced(by event: Event) -> StreamEnd {
        var end = self
        end.advance(by: event)
        return end
    }
}
