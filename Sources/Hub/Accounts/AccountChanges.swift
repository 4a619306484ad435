import EventStore
import Games
import RoomRules
import Rooms

/// Brings changes of accounts to the rooms of one loop. An account that cannot be read is tried again for as long as
/// rooms hold something of its player, since a name that was given up must disappear.
final class AccountChanges {
    /// The pause before the second attempt, so that a given-up name is gone within 2 s if one reading fails. It doubles
    /// up to the longest, since a damaged account stays damaged and each attempt is logged.
    static let pause: Milliseconds = 1_000
    static let longestPause: Milliseconds = 64_000

    private struct Retry {
        let due: Milliseconds
        /// The pause that led to `due`.
        let pause: Milliseconds
    }

    private let surroundings: RoomSurroundings
    private let readModels: ReadModels
    private let rooms: AwakeRooms
    private let accounts: AccountReader
    /// Players whose accounts could not be read; only players that rooms hold something of.
    private var unread: [PlayerID: Retry] = [:]
    private var armed: Milliseconds?

    init(_ surroundings: RoomSurroundings, _ readModels: ReadModels, rooms: AwakeRooms, accounts: AccountReader) {
        (self.surroundings, self.readModels) = (surroundings, readModels)
        (self.rooms, self.accounts) = (rooms, accounts)
    }

    /// An account has changed, or may have. Asks the read models first, so that their earlier answers have arrived.
    func changed(_ player: PlayerID) {
        accounts.accountChanged(player)
        readModels.find(.players(ids: [player])) { [self] _ in read(player) }
    }

    /// Any account may differ from what the read models answered before.
    func namesCaughtUp() {
        readModels.position { [self] _ in
            for player in surroundings.places.players { read(player) }
        }
    }

    /// The log was away and may have lost changes of these accounts. One that cannot be read now stays as it was.
    func compare(_ players: [PlayerID]) {
        for player in players where unread[player] == nil {
            accounts.find(.id(player)) { [self] result in
                if case .success = result { rooms.accountChanged(player, to: result.map { $0?.ofPlayer }) }
            }
        }
    }

    /// Tries again the accounts that could not be read.
    func retryUnreadAccounts() {
        let due = unread.filter { $0.value.due <= surroundings.now }
        for player in due.keys.sorted() {
            guard let retry = unread.removeValue(forKey: player) else { continue }
            read(player, orAfter: min(2 * retry.pause, Self.longestPause))
        }
        armed = nil
        if let next = unread.values.map(\.due).min() { arm(at: next) }
    }

    private func read(_ player: PlayerID, orAfter pause: Milliseconds = AccountChanges.pause) {
        guard !surroundings.places[player].isEmpty else { return }
        accounts.find(.id(player)) { [self] result in
            switch result {
            case .success: unread[player] = nil
            // Too many are being read at once, but all will be, so no player has to leave for it.
            case .failure(.busy): return readAgain(player, after: Self.pause)
            case .failure: readAgain(player, after: pause)
            }
            rooms.accountChanged(player, to: result.map { $0?.ofPlayer })
        }
    }

    private func readAgain(_ player: PlayerID, after pause: Milliseconds) {
        let retry = Retry(due: surroundings.now + pause, pause: pause)
        unread[player] = retry
        arm(at: retry.due)
    }

    private func arm(at due: Milliseconds) {
        guard armed.map({ due < $0 }) ?? true else { return }
        armed = due
        surroundings.timers.arm(.accountChanges, at: due)
    }
}
