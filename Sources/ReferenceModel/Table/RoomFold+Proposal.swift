import JSON

extension RoomFold {
    /// How long a player whose restart failed may propose nothing.
    private static let pauseAfterRestart = 60_000
    /// How long a player whose proposal was withdrawn may propose nothing.
    private static let pauseAfterWithdrawal = 5_000

    mutating func propose(_ event: Value) {
        let seat = event["seat"]?.integer ?? -1
        proposal = Proposal(
            version: version, what: event["what"]?.string ?? "", seat: seat, player: event["player"]?.string ?? "",
            asked: event["asked"]?.list?.compactMap(\.integer) ?? [], agreed: [seat],
            deadline: event["deadline"]?.integer ?? 0)
    }

    mutating func answer(_ event: Value, of seat: Int) {
        let agrees = event["agrees"]?.bool ?? false
        proposal?.removeSeat(seat)
        if agrees { proposal?.agree(seat) }
    }

    mutating func endProposal(_ reason: String) {
        if let proposal, proposal.what == "restart", reason == "declined" || reason == "expired" {
            pauses[proposal.player] = time + Self.pauseAfterRestart
        }
        if let proposal, reason == "withdrawn" { pauses[proposal.player] = time + Self.pauseAfterWithdrawal }
        proposal = nil
    }
}

extension RoomFold.Proposal {
    /// A seat is no longer asked.
    mutating func removeSeat(_ seat: Int) {
        asked.removeAll { $0 == seat }
        agreed.removeAll { $0 == seat }
    }

    mutating func agree(_ seat: Int) { agreed.insert(seat, at: agreed.firstIndex { $0 > seat } ?? agreed.endIndex) }

    var fields: Fields {
        [
            "v": .integer(version), "what": .string(what), "seat": .integer(seat), "player": .string(player),
            "asked": .integers(asked), "agreed": .integers(agreed), "deadline": .integer(deadline),
        ]
    }
}
