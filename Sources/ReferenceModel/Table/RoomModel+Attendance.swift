// Who is connected to a room, as far as whoever judges may know.
extension RoomModel {
    /// Who is connected now.
    var attendance: Attendance { attendances.current }

    /// Who may have been taken to be there at a time or later. A room may have slept until it was touched, and knows
    /// nobody who was gone before; who has said hello may be known already, though the greeting is not there yet.
    func attendances(since time: Int) -> [Attendance] {
        var all = [attendance] + attendances.since(context.ghosts(at: time))
        if let touchedAt { all += all.map { $0.counted(from: touchedAt) } }
        // Its home begins to count some time behind that.
        if let movedAt { all += all.map { $0.counted(from: movedAt + context.ghostTime) } }
        if context.isCluster { all += all.compactMap(\.withoutMissed) }
        // For its home those have gone who are connected to a node that it has no link to.
        let unreached = connections.values.filter { $0.outOfReachSince != nil }.sorted { $0.number < $1.number }
        if !unreached.isEmpty {
            all += all.map { attendance in
                unreached.reduce(into: attendance) { attendance, connection in
                    guard let player = connection.player, let since = connection.outOfReachSince else { return }
                    attendance.went(player, at: since)
                }
            }
        }
        // Of several nodes each may be late with who has gone by it.
        let ghosts = context.isHindered ? attendance.gone(since: context.ghosts(at: time)) : []
        let doubtful = Set(connections.values.compactMap(\.coming) + ghosts).sorted()
        guard !doubtful.isEmpty || !attendance.mayHaveGone.isEmpty else { return all }
        return all + Self.choices(of: doubtful).flatMap { some in all.map { $0.with(some) } }
    }

    /// Each may be known already, whoever else is: every choice among a few, and of many each alone, and all.
    private static func choices(of coming: [String]) -> [[String]] {
        guard coming.count <= 4 else { return [coming, []] + coming.map { [$0] } }
        return (0..<1 << coming.count).map { choice in
            coming.indices.filter { choice >> $0 & 1 == 1 }.map { coming[$0] }
        }
    }

    /// What there is to be seen of it now.
    var sight: RoomSight? {
        var sight = durable.sight
        sight?.absent = durable.gone(attendance, at: context.now).map(\.seat)
            .filter { durable.seats[$0].helped == nil }
        return sight
    }

    /// Who watches without a name.
    var namelessCount: Int { connections.values.count { $0.isGreeted && $0.player == nil } }
}
