import Games
import RoomRules

/// The faults of a room's games: what they did that cannot be recorded.
struct GameFaults {
    /// Whether the running game has a fault. It ends before anything else is judged.
    private(set) var mustEndGame = false
    /// The version of the newest fault that was logged.
    private var loggedVersion: Int?

    /// Nothing of what the game did is in the log. A game that has not begun does not end.
    mutating func add(_ fault: GameFault, in room: RoomState, _ surroundings: RoomSurroundings) {
        mustEndGame = room.isInGame || room.proposal != nil
        surroundings.counters.gameFaults.add(1)
        // Logged once for each version, since the same may be asked for again and again.
        guard loggedVersion != fault.version else { return }
        loggedVersion = fault.version
        surroundings.loggers.write(
            .gameFault,
            [
                "room": "\(room.code)", "game": "\(room.kind?.name ?? "")", "version": "\(fault.version)",
                "event": "\(fault.event ?? "none")", "reason": "\(fault.reason)",
            ])
    }

    /// Ends the game that has a fault, until the log has it; nil if there is none.
    mutating func endGame(in room: RoomState, _ context: DecisionContext) -> Decision? {
        let end = mustEndGame ? room.endFaultyGame(context) : nil
        mustEndGame = end != nil
        return end
    }
}
