import Games

// What happens to a game while players are gone who have not left it (`ProtocolProposals.md`, "Players who are gone").
extension RoomState {
    /// A game of several that waits without a deadline ends when none of them has been connected for this long.
    public static let desertion: Milliseconds = 3_600_000
    /// A game of one person, alone or with computers, waits this long after its last event.
    public static let waitForOne: Milliseconds = 86_400_000
    /// A room that no one has used for this long is closed, which reveals its last seed.
    public static let expiry: Milliseconds = 30 * 86_400_000
    /// With turns of this many seconds or more players come and go, and no one misses them in between.
    static let longTurn = 3_600

    /// Whether the newest game has several people and turns of an hour or more. Then only the turns' time decides,
    /// however long everyone is gone.
    public var hasLongTurns: Bool { !isForOne && lastStart?.options["turnTime"]?.integer ?? 0 >= Self.longTurn }

    /// Whether the newest game has one person, alone or with computers.
    public var isForOne: Bool { lastStart?.players.count { !isComputer($0.player) } == 1 }

    /// In a game with a turn timer that others have played to its end, an absent player counts as having left, unless a
    /// computer plays for the player. Any other `result` stays as it is.
    func leftIfAbsent(_ result: PlayerResult, _ context: DecisionContext) -> PlayerResult {
        guard let turnTime = lastStart?.options["turnTime"]?.integer, (1..<Self.longTurn).contains(turnTime), !isForOne,
            let player = playing[result.seat], !isComputer(player), !isHelped(result.seat),
            context.attendance.isAbsent(player, at: context.now), let gone = context.attendance.goneSince(player)
        else { return result }
        // Both leave out the time in which the room could not be played.
        return result.leftEarly(after: max(0, result.time - (context.now - gone)))
    }
}

extension PlayerResult {
    fileprivate func leftEarly(after time: Milliseconds) -> PlayerResult {
        PlayerResult(seat: seat, score: score, figures: figures, time: time, isLeftEarly: true, place: place)
    }
}
