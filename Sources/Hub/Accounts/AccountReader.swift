import EventStore
import Games
import Records
import RoomRules

/// Finds accounts in the log, for one loop: not in the read models, which may lag behind it.
final class AccountReader {
    /// What an account can be found by.
    enum Key: Equatable, Sendable {
        case id(PlayerID)
        /// SHA-256 of the token of one of its devices, in hex.
        case token(hash: String)
        /// As names are compared.
        case name(folded: String)

        var tokenHash: String? { if case .token(let hash) = self { hash } else { nil } }
    }

    typealias Found = (Result<Account?, EventLogError>) -> Void

    private final class Reading {
        let number: Int
        let key: Key
        let then: Found
        /// Accounts that have changed since it began.
        var changed: Set<PlayerID> = []

        init(_ number: Int, _ key: Key, then: @escaping Found) {
            (self.number, self.key, self.then) = (number, key, then)
        }
    }

    private let surroundings: RoomSurroundings
    /// One for each request that is under way, so whoever limits connections limits this.
    private var readings: [Int: Reading] = [:]
    private var lastNumber = 0

    init(_ surroundings: RoomSurroundings) { self.surroundings = surroundings }

    /// The account as it is when `then` is called, or was a moment before; nil: there is none.
    func find(_ key: Key, then: @escaping Found) {
        lastNumber += 1
        let reading = Reading(lastNumber, key, then: then)
        readings[lastNumber] = reading
        switch key {
        case .id(let id): load(id, for: reading)
        case .token(let hash): locate(.token(hash), for: reading) { TokenGiven($0)?.account }
        case .name(let folded): locate(.name(folded), for: reading) { NameGiven($0)?.account }
        }
    }

    /// Has every reading that is under way begin anew if it is of this account.
    func accountChanged(_ id: PlayerID) { for reading in readings.values { reading.changed.insert(id) } }

    /// The first record of `stream` says which account it is.
    private func locate(_ stream: StreamName, for reading: Reading, account: @escaping (Record) -> PlayerID?) {
        surroundings.load(stream, after: 0, limit: 1) { [self] result in
            switch result {
            case .success(let records):
                guard let first = records.first else { return end(reading, .success(nil)) }
                guard let id = account(first) else { return fail(reading, .notAnAccounts(first)) }
                load(id, for: reading)
            case .failure(let error): end(reading, .failure(error))
            }
        }
    }

    private func load(_ id: PlayerID, for reading: Reading) {
        surroundings.load(.account(id), after: 0, limit: .max) { [self] result in
            // What was read may be from before the change: nobody gets in by a token that was revoked since.
            if reading.changed.contains(id) {
                remove(reading)
                return find(reading.key, then: reading.then)
            }
            switch result {
            case .success(let records):
                do throws(EventLogError) {
                    let account = try Account(records)
                    end(reading, .success(account.flatMap { $0.isFound(by: reading.key) ? $0 : nil }))
                } catch { fail(reading, error) }
            case .failure(let error): end(reading, .failure(error))
            }
        }
    }

    /// The log can be read, and what it says cannot: not the same as nobody, who would be told so.
    private func fail(_ reading: Reading, _ error: EventLogError) {
        surroundings.loggers.accounts.error("an account cannot be read", metadata: ["reason": "\(error.sentence)"])
        end(reading, .failure(error))
    }

    private func end(_ reading: Reading, _ result: Result<Account?, EventLogError>) {
        remove(reading)
        reading.then(result)
    }

    private func remove(_ reading: Reading) { readings[reading.number] = nil }
}

extension Account {
    /// A name or device may have gone between the two readings.
    fileprivate func isFound(by key: AccountReader.Key) -> Bool {
        switch key {
        case .id: true
        case .token(let hash): device(tokenHash: hash) != nil
        case .name(let folded): self.folded == folded
        }
    }
}
