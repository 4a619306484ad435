/// Whose turn it is next.
extension Memory {
    /// The turn of the next player; those away are passed over. If all are, it stands: nobody's time runs.
    func nextTurn(at now: Milliseconds) -> Event {
        isStanding ? .turn(seat: players[following].seat, deadline: nil) : turn(of: following, at: now)
    }

    /// Whether nobody is there whose turn it could be.
    var isStanding: Bool { !players.contains { $0.isPresent } }

    /// Who comes after the current player: an index into `players`. If all are away, that is the current one, or else
    /// the next who has not left.
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
        .turn(seat: players[index].seat, deadline: setup.turnTime > 0 ? now + setup.turnTime * 1_000 : nil)
    }
}
