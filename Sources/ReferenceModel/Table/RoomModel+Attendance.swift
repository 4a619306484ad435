// Who is connected to a room, as far as the judging home may know.
extension RoomModel {
    var attendance: Attendance { attendances.current }

    /// The attendances that the home may have believed at a time or later. A room may have slept until it was touched,
    /// and then knows no one who left before. A client that has said hello may already be known, although its greeting
    /// has not arrived.
    func attendances(since time: Int) -> [Attendance] {
        var all = [attendance] + attendances.since(context.ghosts(at: time))
        if let touchedAt { all += all.map { $0.counted(from: touchedAt) } }
        // Its home starts counting some time after that.
        if let movedAt { all += all.map { $0.counted(from: movedAt + context.ghostTime) } }
        if context.isCluster { all += all.compactMap(\.withoutMissed) }
        // For the home, players connected to a node without a link to it are gone.
        let unreached = connections.values.filter { $0.outOfReachSince != nil }.sorted { $0.number < $1.number }
        if !unreached.isEmpty {
            all += all.map { attendance in
                unreached.reduce(into: attendance) { attendance, connection in
                    guard let player = connection.player, let since = connection.outOfReachSince else { return }
                    attendance.playerWent(player, at: since)
                }
            }
        }
        // Each node may be late to report who has left.
        let ghosts = context.isHindered ? attendance.gone(since: context.ghosts(at: time)) : []
        let doubtful = Set(connections.values.compactMap(\.coming) + ghosts).sorted()
        guard !doubtful.isEmpty || !attendance.mayHaveGone.isEmpty else { return all }
        return all + Self.choices(of: doubtful).flatMap { some in all.map { $0.with(some) } }
    }

    /// Each may be known already, independently of the others: all combinations of a few; of many each alone, none and
    /// all.
    private static func choices(of coming: [String]) -> [[String]] {
        guard coming.count <= 4 else { return [coming, []] + coming.map { [$0] } }
        return (0..<1 << coming.count).map { choice in
            coming.indices.filter { choice >> $0 & 1 == 1 }.map { coming[$0] }
        }
    }

    /// What can be seen of the room now.
    var sight: RoomSight? {
        var sight = durable.sight
        sight?.absent = durable.gone(attendance, at: context.now).map(\.seat)
            .filter { durable.seats[$0].helped == nil }
        return sight
    }

    /// Spectators without a name.
    var namelessCount: Int { connections.values.count { $0.isGreeted && $0.player == nil } }

    /// Who is connected now, as far as others are told it.
    var present: WhoIsThere {
        let players = attendance.connections.keys.sorted()
        let standing = players.count { durable.seat(of: $0) == nil }
        return WhoIsThere(
            all: Present(players: players, spectators: namelessCount + standing),
            seated: players.filter { durable.seat(of: $0) != nil || $0 == durable.host })
    }

    /// Whether a client without a greeting so far has said hello. A hub counts it once it knows the player.
    var awaitsGreeting: Bool { connections.values.contains { $0.saidHello && !$0.isGreeted } }
}
