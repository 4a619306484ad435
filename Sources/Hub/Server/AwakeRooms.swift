import EventStore
import Games
import RoomRules

/// The rooms of a shard that are awake: wakes them when somebody asks, lets go of those that may sleep, and knows whose
/// timer has fired.
final class AwakeRooms {
    /// Rooms that one sweep looks at: of many thousands at once, all others would have to wait for it.
    static let sweepLimit = 256

    private let surroundings: RoomSurroundings
    /// In the order in which they woke, which is that of their timers.
    private(set) var all: [Room] = []
    private var byCode: [String: Room] = [:]
    /// Those of rooms count from 1: 0 is the shard's own.
    private var lastTimer: UInt64 = 0
    /// The timer of the room that a sweep looked at last; 0: the next one begins with the first room.
    private var lastSwept: UInt64 = 0
    /// Told of each room that sleeps from now on.
    var isAsleep: ((Room) -> Void)?
    /// Told of players whom the log, which was away, may have lost.
    var playersAreDue: (([PlayerID]) -> Void)?

    init(surroundings: RoomSurroundings) { self.surroundings = surroundings }

    /// The room that bears `code`; nil while it sleeps.
    subscript(code: String) -> Room? { byCode[code] }

    /// The room of this code, woken if it sleeps; nil if too many are awake.
    ///
    /// - Parameters:
    ///   - claim: by which this node is its home; of several nodes none wakes a room without one.
    ///   - time: when that was asked for.
    func wake(_ code: String, taking claim: Claim? = nil, at time: Milliseconds = 0) -> Room? {
        if let room = byCode[code] { return room }
        guard claim != nil || surroundings.cluster == nil else { return nil }
        guard all.count < surroundings.limits.awakeRooms else {
            surroundings.counters.hit(.awakeRooms)
            return nil
        }
        lastTimer += 1
        let room = Room(code: code, timer: lastTimer, surroundings: surroundings)
        byCode[code] = room
        all.append(room)
        surroundings.counters.rooms.set(all.count)
        if let claim { room.home.take(claim, asked: time) }
        room.read()
        return room
    }

    /// Of the next few rooms: ends connections that say nothing, or have not caught up for too long, and lets go of
    /// those that nobody needs, as `RoomHome.maySleep` has it. Whether they were the last of a round.
    func sweep() -> Bool {
        let start = all.firstIndex(from: lastSwept + 1) { $0.timerToken }
        let part = start..<min(start + Self.sweepLimit, all.count)
        lastSwept = part.upperBound < all.count ? all[part].last?.timerToken ?? 0 : 0
        var awake: [Room] = []
        var players: Set<PlayerID> = []
        for room in all[part] {
            room.edge.closeSilent()
            room.edge.closeSlow()
            // While nothing can be released all stay.
            if room.maySleep, surroundings.cluster == nil || surroundings.canPlay {
                putToSleep(room)
            } else {
                players.formUnion(room.compareIfDue())
                awake.append(room)
            }
        }
        if !players.isEmpty { playersAreDue?(players.sorted()) }
        // In one go: many may fall asleep at once.
        if awake.count < part.count { all.replaceSubrange(part, with: awake) }
        surroundings.counters.rooms.set(all.count)
        return lastSwept == 0
    }

    /// How many sweeps make a round.
    var sweeps: Int { max(1, (all.count + Self.sweepLimit - 1) / Self.sweepLimit) }

    /// Of a code that no room bears nothing is kept: whoever tries many takes no place from the rooms that are there.
    func letGoIfAbsent(_ room: Room) {
        guard room.life == .absent, room.maySleep, byCode[room.code] === room else { return }
        putToSleep(room)
        remove(room)
    }

    /// Another node is the room's home, or is to be: its members come back, and find it.
    func letGo(of room: Room) {
        guard byCode[room.code] === room else { return }
        surroundings.counters.roomsGivenUp.add()
        room.edge.closeAll(.serviceRestart, RelayedMembers.elsewhere)
        room.become(.absent)
        putToSleep(room)
        remove(room)
    }

    private func remove(_ room: Room) {
        if let index = index(ofTimer: room.timerToken) { all.remove(at: index) }
        surroundings.counters.rooms.set(all.count)
    }

    private func putToSleep(_ room: Room) {
        room.sleep()
        room.edge.letGoOfAll()
        byCode[room.code] = nil
        isAsleep?(room)
    }

    // MARK: Timers

    func timerFired(_ token: UInt64) {
        if let index = index(ofTimer: token) { all[index].timerFired() }
    }

    private func index(ofTimer token: UInt64) -> Int? { all.index(of: token) { $0.timerToken } }

    // MARK: Players

    /// What is read of a player's account when it has changed; nil: it is gone.
    func accountChanged(_ player: PlayerID, to result: Result<Account?, EventLogError>) {
        for room in surroundings.places[player] {
            switch result {
            case .success(let account): room.accountChanged(player, to: account)
            case .failure: room.close(player)
            }
        }
    }
}
