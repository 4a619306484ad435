import Games
import RoomRules
import Transport

/// How much each player may still add to the log, by commands in the rooms of one loop. One player cannot fill the disk
/// by many connections or rooms.
struct WriteAllowances {
    /// How many seconds' worth may come at once.
    static let burst = 10

    private var taken: [PlayerID: RateLimit] = [:]
    /// At this many players, those whose allowance is full again are forgotten.
    private var sweepCount = 1_024

    /// Throws if too many commands of the request's player have been recorded.
    mutating func countWrite(by request: RoomRequest, _ surroundings: RoomSurroundings) throws(Rejection) {
        guard case .member(let player, _) = request.asker else { return }
        if taken.count >= sweepCount {
            taken = taken.filter { !$0.value.isFull(now: surroundings.now) }
            sweepCount = max(1_024, 2 * taken.count)
        }
        let rate = surroundings.limits.commandsPerSecond
        guard !taken[player, default: RateLimit()].spendOne(perSecond: rate, atOnce: Self.burst, now: surroundings.now)
        else { return }
        surroundings.counters.hit(.commandsPerSecond)
        throw .tooFast(rate, "commands that are recorded")
    }
}
