extension RoomFold {
    /// What can be seen at this version; nil before the first.
    var sight: RoomSight? {
        guard version > 0 else { return nil }
        return RoomSight(
            version: version, game: game, status: status, host: host, muted: muted,
            banned: banned,
            seats: seats.enumerated().compactMap { number, seat in
                seat.player.map {
                    RoomSight.Seat(
                        number: number, player: $0, isComputer: seat.bot != nil, isHelped: seat.helped != nil,
                        commitment: seat.commitment)
                }
            },
            seatCount: seats.count, running: running.map { RoomSight.Game(fold: $0) },
            proposal: proposal.map { (version: $0.version, asked: $0.asked) }, awaited: dealing?.awaited ?? [])
    }
}

extension RoomFold {
    /// The players whom the room waits for.
    var awaited: [String] {
        switch status {
        case .waiting: [host]
        case .dealing: dealing?.awaited.compactMap { seats[$0].player } ?? []
        case .running where proposal == nil: awaitedPlayers
        case .running, .ended: proposal.map { $0.asked.compactMap { seats[$0].player } } ?? seats.compactMap(\.player)
        case .closed: []
        }
    }
}
