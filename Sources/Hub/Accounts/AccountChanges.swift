import EventStore
import Games
import RoomRules

/// Has the rooms of one loop know what has become of players' accounts. One that cannot be read is read again until it
/// can, for as long as a room has something of the player: a name that was given up must go.
final class AccountChanges {
    static let timer: UInt64 = .max - 2
    /// Ahead of the second attempt: a name that one reading has failed for is gone within 2 s. Each time twice as long,
    /// up to the longest, since an account that is damaged stays so, and each attempt is logged.
    static let pause: Milliseconds = 1_000
    static let longestPause: Milliseconds = 64_000

    private struct Retry {
        let due: Milliseconds
        /// For how long it was put off.
        let pause: Milliseconds
    }

    private let surroundings: RoomSurroundings
    private let rooms: AwakeRooms
    private let accounts: AccountReader
    /// Players whose accounts could not be read: no more than rooms have something of.
    private var unread: [PlayerID: Retry] = [:]
    private var armed: Milliseconds?

    init(_ surroundings: RoomSurroundings, rooms: AwakeRooms, accounts: AccountReader) {
        (self.surroundings, self.rooms, self.accounts) = (surroundings, rooms, accounts)
    }

    /// An account is another than before, or may be. Asks the read models first: what they answered before, and was on
    /// its way, has arrived then.
    func changed(_ player: PlayerID) {
        accounts.accountChanged(player)
        surroundings.readModels.find(.players(ids: [player])) { [self] _ in read(player) }
    }

    /// Any account may be, by what the read models answered before.
    func namesCaughtUp() {
        surroundings.readModels.position { [self] _ in
            for player in surroundings.places.players { read(player) }
        }
    }

    /// The log was away, and may have lost these: who cannot be read just now stays who that was.
    func compare(_ players: [PlayerID]) {
        for player in players where unread[player] == nil {
            accounts.find(.id(player)) { [self] result in
                if case .success = result { rooms.accountChanged(player, to: result) }
            }
        }
    }

    /// What could not be read is tried again.
    func tick() {
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
            // Many are read at once, and all of them will be: nobody has to leave for that.
            case .failure(.busy): return readAgain(player, after: Self.pause)
            case .failure: readAgain(player, after: pause)
            }
            rooms.accountChanged(player, to: result)
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
        surroundings.timers.arm(Self.timer, at: due)
    }
}
