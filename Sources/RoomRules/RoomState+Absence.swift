import Games

// What becomes of a game that somebody goes from without leaving it: the table of `Protocol.md`, "Going and coming
// back".
extension RoomState {
    /// A game of several without a turn timer ends when none of them has been connected for so long.
    public static let desertion: Milliseconds = 3_600_000
    /// A game of one person, alone or with computers, waits for so long after its last event.
    public static let waitForOne: Milliseconds = 86_400_000
    /// A room that nobody has used for so long is closed, which reveals its last seed.
    public static let expiry: Milliseconds = 30 * 86_400_000
    /// Turns of so many seconds are meant to be played now and then: nobody is missed in between.
    static let longTurn = 3_600

    /// Whether several play the newest game with turns of an hour or more: only these decide, however long all are
    /// gone.
    public var hasLongTurns: Bool { !isForOne && lastStart?.options["turnTime"]?.integer ?? 0 >= Self.longTurn }

    /// Whether one person plays the newest game, alone or with computers.
    public var isForOne: Bool { lastStart?.players.count { !isComputer($0.player) } == 1 }

    /// `result` of a game with a turn timer that others have played to its end: as that of somebody who left, if its
    /// player is absent by then, and no computer plays in that place.
    func leftIfAbsent(_ result: PlayerResult, _ context: DecisionContext) -> PlayerResult {
        guard let turnTime = lastStart?.options["turnTime"]?.integer, (1..<Self.longTurn).contains(turnTime), !isForOne,
            let player = playing[result.seat], !isComputer(player), !isHelped(result.seat),
            context.attendance.isAbsent(player, at: context.now), let gone = context.attendance.goneSince(player)
        else { return result }
        // Neither of the two counts the time in which the room could not be played.
        return result.leftEarly(after: max(0, result.time - (context.now - gone)))
    }
}

extension PlayerResult {
    fileprivate func leftEarly(after time: Milliseconds) -> PlayerResult {
        PlayerResult(seat: seat, score: score, figures: figures, time: time, isLeftEarly: true, place: place)
    }
}
