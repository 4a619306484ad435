import Games
import RoomRules
import Rooms

/// Gives up all rooms of a loop when its node leaves, a few at a time, so that their members do not all come to the
/// other nodes at once. For each room the running append ends, its claim is released, and then its members are sent
/// away. In that order another node can claim the room by the time they get there. Relayed connections leave last. Then
/// the first loop is notified.
final class RoomDrain {
    private static let pause: Milliseconds = 50
    /// How many members leave each second, on all loops together.
    private static let rate = 1_000

    private let surroundings: RoomSurroundings
    private let rooms: AwakeRooms
    private let claims: ClaimDesk
    private let relays: RelayDesk
    private let limit: Int
    /// How many members may leave in this step. Negative after a room with more members than that.
    private var budget = 0
    private let loops: any NodeLoops
    private var waiting: [Room]
    /// How many rooms are being given up.
    private var underWay = 0
    private var isDone = false

    init(
        _ surroundings: RoomSurroundings, rooms: AwakeRooms, claims: ClaimDesk, relays: RelayDesk, loops: any NodeLoops
    ) {
        (self.surroundings, self.rooms, self.claims, self.relays) = (surroundings, rooms, claims, relays)
        self.loops = loops
        limit = max(1, Self.rate * Self.pause / 1_000 / loops.count)
        waiting = rooms.all.reversed()
    }

    func giveUpSome() {
        budget = min(limit, budget + limit)
        while budget > 0, let room = waiting.popLast() {
            budget -= max(1, room.memberCount)
            giveUp(room)
        }
        budget -= relays.sendAway(budget)
        if waiting.isEmpty, relays.isEmpty { return endIfDone() }
        surroundings.timers.arm(.drain, at: surroundings.now + Self.pause)
    }

    private func giveUp(_ room: Room) {
        guard rooms[room.code] === room else { return }
        // The next home owes lost time that is not over, or not in the logs of all rooms.
        let unwritten = room.owedSince
        underWay += 1
        room.giveUp { [self] in
            let (now, played) = (surroundings.now, surroundings.counters.lastPlayed.value)
            let owed = earlier(unwritten, played > 0 ? played : now)
            claims.release(room.code, owed: owed, at: now) { [self] in
                rooms.release(room)
                underWay -= 1
                endIfDone()
            }
        }
    }

    private func endIfDone() {
        guard waiting.isEmpty, relays.isEmpty, underWay == 0, !isDone else { return }
        isDone = true
        loops.post(.hasLeft, to: 0)
    }
}
