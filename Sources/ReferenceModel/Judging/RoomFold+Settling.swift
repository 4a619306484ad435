// Consequences of events beyond what was asked for.
extension RoomFold {
    /// The events that follow in the same commit. `isTimeUp`: the proposal's time is up.
    func settlement(isTimeUp: Bool = false, _ attendance: Attendance, at time: Int) -> [Expected] {
        if status == .dealing, let dealing, dealing.awaited.isEmpty { return dealt() }
        guard let proposal else { return [] }
        if proposal.what == "restart" { return settleRestart(proposal, isTimeUp, attendance, at: time) }
        return settleRematch(proposal, isTimeUp, attendance, at: time)
    }

    private func settleRestart(
        _ proposal: Proposal, _ isTimeUp: Bool, _ attendance: Attendance, at time: Int
    ) -> [Expected] {
        if !proposal.agreed.contains(proposal.seat) && proposal.agreed.isEmpty { return ended("withdrawn") }
        if isTimeUp { return ended("expired") }
        guard proposal.asked.isEmpty else { return [] }
        return proposal.agreed.count > 1 ? restart(attendance, at: time) : ended("declined")
    }

    private func settleRematch(
        _ proposal: Proposal, _ isTimeUp: Bool, _ attendance: Attendance, at time: Int
    ) -> [Expected] {
        if proposal.agreed.isEmpty { return ended("withdrawn") }
        guard proposal.asked.isEmpty || isTimeUp else { return [] }
        let people = proposal.agreed.filter { seat in
            seats[seat].player.map(attendance.isHere) ?? false
        }
        let playing = seats.indices.filter { people.contains($0) || seats[$0].bot != nil }
        let needed = players.count > 1 ? 2 : 1
        guard !people.isEmpty, playing.count >= max(needed, kind?.seats.lowerBound ?? 1) else {
            return ended(isTimeUp ? "expired" : "declined")
        }
        return beginning(of: playing, first: nextFirst(of: playing), attendance, at: time)
    }

    func ended(_ reason: String) -> [Expected] { [Expected("proposal-ended", ["reason": .string(reason)])] }

    /// The next host: the longest-seated player who is connected; nil if there is none.
    func successor(_ attendance: Attendance) -> String? {
        let candidates = seats.filter { seat in
            seat.bot == nil && seat.player.map { $0 != host && attendance.isHere($0) } ?? false
        }
        return candidates.min { $0.since < $1.since }?.player
    }
}
