extension RoomFold {
    /// How long a player whose restart failed may propose nothing.
    private static let pauseAfterRestart = 60_000
    /// How long a player whose proposal was withdrawn may propose nothing.
    private static let pauseAfterWithdrawal = 5_000

    mutating func propose(_ event: JSON) {
        let seat = event["seat"]?.number ?? -1
        proposal = Proposal(
            version: version, what: event["what"]?.text ?? "", seat: seat, player: event["player"]?.text ?? "",
            asked: event["asked"]?.list?.compactMap(\.number) ?? [], agreed: [seat],
            deadline: event["deadline"]?.number ?? 0)
    }

    mutating func answer(_ event: JSON, of seat: Int) {
        let agrees = event["agrees"]?.bool ?? false
        proposal?.take(seat)
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
    mutating func take(_ seat: Int) {
        asked.removeAll { $0 == seat }
        agreed.removeAll { $0 == seat }
    }

    mutating func agree(_ seat: Int) { agreed.insert(seat, at: agreed.firstIndex { $0 > seat } ?? agreed.endIndex) }

    var json: JSON {
        [
            "v": .number(version), "what": .text(what), "seat": .number(seat), "player": .text(player),
            "asked": .numbers(asked), "agreed": .numbers(agreed), "deadline": .number(deadline),
        ]
    }
}
