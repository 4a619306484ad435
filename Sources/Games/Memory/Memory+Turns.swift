/// Whose turn is next.
extension Memory {
    /// The turn of the next player who is not away. If all are away, it has no deadline.
    func nextTurn(at now: Milliseconds) -> Event {
        isStanding ? .turn(seat: players[following].seat, deadline: nil) : turn(of: following, at: now)
    }

    /// Whether no player can have a turn.
    var isStanding: Bool { !players.contains { $0.isPresent } }

    /// The next player, as an index into `players`. If all are away, that is the current player, or the next who has
    /// not left.
    var following: Int {
        var inGame: Int?
        for step in 1...players.count {
            let index = (current + step) % players.count
            if players[index].isPresent { return index }
            if inGame == nil, !players[index].isLeft { inGame = index }
        }
        return players[current].isLeft ? inGame ?? current : current
    }

    func turn(of index: Int, at now: Milliseconds) -> Event {
        .turn(seat: players[index].seat, deadline: setup.turnTime.deadline(from: now))
    }
}
