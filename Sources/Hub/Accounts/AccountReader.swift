import EventStore
import Records
import RoomRules
import Rooms

/// Finds accounts for one loop. It reads the log, since the read models may lag.
final class AccountReader {
    enum Key: Equatable, Sendable {
        case id(PlayerID)
        /// SHA-256 of the token of one of its devices, in hex.
        case token(hash: String)
        /// In the form that is compared.
        case name(folded: String)

        var tokenHash: String? { if case .token(let hash) = self { hash } else { nil } }
    }

    typealias Found = (Result<Account?, EventLogError>) -> Void

    private final class Reading {
        let number: Int
        let key: Key
        let then: Found
        /// Accounts that have changed since the reading started.
        var changed: Set<PlayerID> = []

        init(_ number: Int, _ key: Key, then: @escaping Found) {
            (self.number, self.key, self.then) = (number, key, then)
        }
    }

    private let surroundings: RoomSurroundings
    /// One for each running request, so the limit on connections also limits this.
    private var readings: [Int: Reading] = [:]
    private var lastNumber = 0

    init(_ surroundings: RoomSurroundings) { self.surroundings = surroundings }

    /// Finds the account as it is when `then` is called, or was a moment earlier; nil if there is none.
    func find(_ key: Key, then: @escaping Found) {
        lastNumber += 1
        let reading = Reading(lastNumber, key, then: then)
        readings[lastNumber] = reading
        switch key {
        case .id(let id): load(id, for: reading)
        case .token(let hash): locate(.token(hash), for: reading) { TokenGiven.read($0)?.account }
        case .name(let folded): locate(.name(folded), for: reading) { NameGiven.read($0)?.account }
        }
    }

    /// Restarts the running readings of this account.
    func accountChanged(_ id: PlayerID) { for reading in readings.values { reading.changed.insert(id) } }

    /// Finds the account that the first record of `stream` names.
    private func locate(_ stream: StreamName, for reading: Reading, account: @escaping (Record) -> PlayerID?) {
        surroundings.log.load(stream, after: 0, limit: 1) { [self] result in
            switch result {
            case .success(let records):
                guard let first = records.first else { return finishReading(reading, .success(nil)) }
                guard let id = account(first) else { return fail(reading, .notAnAccounts(first)) }
                load(id, for: reading)
            case .failure(let error): finishReading(reading, .failure(error))
            }
        }
    }

    private func load(_ id: PlayerID, for reading: Reading) {
        surroundings.log.load(.account(id), after: 0, limit: .max) { [self] result in
            // The records may be older than the change. A revoked token must not let anyone in.
            if reading.changed.contains(id) {
                remove(reading)
                return find(reading.key, then: reading.then)
            }
            switch result {
            case .success(let records):
                do throws(EventLogError) {
                    let account = try Account(records)
                    finishReading(reading, .success(account.flatMap { $0.isFound(by: reading.key) ? $0 : nil }))
                } catch { fail(reading, error) }
            case .failure(let error): finishReading(reading, .failure(error))
            }
        }
    }

    /// The log can be read but makes no sense. A client must not be told that there is no such account.
    private func fail(_ reading: Reading, _ error: EventLogError) {
        surroundings.loggers.write(.accountUnread, ["reason": "\(error.sentence)"])
        finishReading(reading, .failure(error))
    }

    private func finishReading(_ reading: Reading, _ result: Result<Account?, EventLogError>) {
        remove(reading)
        reading.then(result)
    }

    private func remove(_ reading: Reading) { readings[reading.number] = nil }
}

extension AccountReader: PlayerFinder {
    func player(tokenHash: String, then: @escaping (Result<Player?, EventLogError>) -> Void) {
        find(.token(hash: tokenHash)) { result in
            then(result.map { $0.map { Player(id: $0.id, name: $0.name, tokenHash: tokenHash) } })
        }
    }
}

extension Account {
    /// What rooms need of it.
    var ofPlayer: PlayerAccount { PlayerAccount(name: name, tokenHashes: Set(devices.map(\.tokenHash))) }

    /// The name or device may have been removed between the two readings.
    fileprivate func isFound(by key: AccountReader.Key) -> Bool {
        switch key {
        case .id: true
        case .token(let hash): device(tokenHash: hash) != nil
        case .name(let folded): self.folded == folded
        }
    }
}
