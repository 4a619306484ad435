import EventStore
import Games
import RoomRules

/// A shard's rooms that are awake. It wakes rooms on request, lets idle ones sleep, and finds the room of a timer.
public final class AwakeRooms {
    /// Rooms in one sweep. With many thousands at once, all others would wait for it.
    static let sweepLimit = 256
    /// The reason given when a connection is closed because its room is served by another node.
    public static let elsewhere = "the room is served elsewhere from now on"

    private let surroundings: RoomSurroundings
    /// In the order in which they woke, which is also that of their timers.
    public private(set) var all: [Room] = []
    private var byCode: [String: Room] = [:]
    private var nextTimer = LoopTimer.firstRoom
    /// The timer of the last room in the previous sweep; 0 if the next sweep starts with the first room.
    private var lastSwept: UInt64 = 0
    /// Called with each room that falls asleep.
    public var isAsleep: ((Room) -> Void)?
    /// Called with players whom the log may have lost while it was away.
    public var playersAreDue: (([PlayerID]) -> Void)?

    public init(surroundings: RoomSurroundings) { self.surroundings = surroundings }

    /// The awake room with this code; nil if it sleeps.
    public subscript(code: String) -> Room? { byCode[code] }

    /// Returns the room, and wakes it if it sleeps; nil if too many are awake.
    ///
    /// - Parameters:
    ///   - claim: makes this node the room's home; on a cluster no room wakes without one.
    ///   - time: when the claim was asked for.
    public func wake(_ code: String, taking claim: Claim? = nil, at time: Milliseconds = 0) -> Room? {
        if let room = byCode[code] { return room }
        guard claim != nil || !surroundings.isShared else { return nil }
        guard all.count < surroundings.limits.awakeRooms else {
            surroundings.counters.hit(.awakeRooms)
            return nil
        }
        let room = Room(code: code, timer: nextTimer, surroundings: surroundings)
        nextTimer += 1
        byCode[code] = room
        all.append(room)
        surroundings.counters.rooms.set(all.count)
        if let claim { room.home.clock.lostTime.roomClaimed(claim, at: time, surroundings) }
        room.read()
        return room
    }

    /// Rooms write these events no longer, or again, since other nodes that serve cannot read them.
    public func othersCannotRead(_ types: Set<String>) {
        surroundings.status.unreadable = types.union(surroundings.games.eventsLeftOut)
        for room in all { room.checkClock() }
    }

    /// Sweeps the next rooms: ends connections that are silent or have been behind for too long, and puts idle rooms to
    /// sleep (`RoomHome.maySleep`). Returns whether that ends a round.
    public func sweep() -> Bool {
        let start = all.firstIndex(from: lastSwept + 1) { $0.timerToken }
        let part = start..<min(start + Self.sweepLimit, all.count)
        lastSwept = part.upperBound < all.count ? all[part].last?.timerToken ?? 0 : 0
        var awake: [Room] = []
        var players: Set<PlayerID> = []
        for room in all[part] {
            room.edge.closeSlow()
            // On a cluster all stay awake while no claim can be released.
            if room.maySleep, !surroundings.isShared || surroundings.canPlay {
                putToSleep(room)
            } else {
                players.formUnion(room.compareIfDue())
                awake.append(room)
            }
        }
        if !players.isEmpty { playersAreDue?(players.sorted()) }
        // Removed together, since many may fall asleep at once.
        if awake.count < part.count { all.replaceSubrange(part, with: awake) }
        surroundings.counters.rooms.set(all.count)
        return lastSwept == 0
    }

    /// Sweeps in a round.
    public var sweeps: Int { max(1, (all.count + Self.sweepLimit - 1) / Self.sweepLimit) }

    /// Forgets a room that does not exist, so that trying many codes takes no places from real rooms.
    func removeIfAbsent(_ room: Room) {
        guard room.life == .absent, room.maySleep, byCode[room.code] === room else { return }
        putToSleep(room)
        remove(room)
    }

    /// Another node is or becomes the room's home. Its members reconnect and find it.
    public func release(_ room: Room) {
        guard byCode[room.code] === room else { return }
        surroundings.counters.roomsGivenUp.add()
        room.edge.closeAll(.serviceRestart, Self.elsewhere)
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
        room.edge.forgetPlayers()
        byCode[room.code] = nil
        isAsleep?(room)
    }

    // MARK: Timers

    public func timerFired(_ token: UInt64) {
        if let index = index(ofTimer: token) { all[index].timerFired() }
    }

    private func index(ofTimer token: UInt64) -> Int? { all.index(of: token) { $0.timerToken } }

    // MARK: Players

    /// Applies what was read of a player's changed account; nil if the account is gone.
    public func accountChanged(_ player: PlayerID, to result: Result<PlayerAccount?, EventLogError>) {
        for room in surroundings.places[player] {
            switch result {
            case .success(let account): room.accountChanged(player, to: account)
            case .failure: room.close(player)
            }
        }
    }
}
