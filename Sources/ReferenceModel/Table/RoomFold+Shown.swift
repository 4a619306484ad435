extension RoomFold {
    /// `room` as a greeting has it at this version.
    var room: JSON {
        var members: [JSON.Member] = [
            .init("code", .text(code)), .init("game", .text(game)), .init("options", options),
            .init("visibility", .text(visibility)), .init("host", .text(host)), .init("status", .text(status.rawValue)),
            .init("seats", .list(seats.indices.map(shownSeat))), .init("gameNumber", .number(gameNumber)),
        ]
        func add(_ name: String, _ value: JSON?) { if let value { members.append(JSON.Member(name, value)) } }
        add("commitment", commitment.map(JSON.text))
        add("muted", Self.list(muted))
        add("banned", Self.list(banned))
        add("dealing", dealing?.fields)
        add("players", players.isEmpty ? nil : .list(players))
        add("first", first.map(JSON.number))
        add("results", results)
        add("reason", reason.map(JSON.text))
        add("reveal", reveal)
        add("proposal", proposal?.json)
        add("wins", wins.isEmpty ? nil : .object(wins))
        add("winsUntil", wins.isEmpty ? nil : winsUntil.map(JSON.number))
        return .object(members)
    }

    private static func list(_ players: [String]) -> JSON? {
        players.isEmpty ? nil : .list(players.sorted().map(JSON.text))
    }

    private func shownSeat(_ number: Int) -> JSON {
        let seat = seats[number]
        var members: [JSON.Member] = [.init("seat", .number(number))]
        if let player = seat.player { members.append(.init("player", .text(player))) }
        if let bot = seat.bot { members.append(.init("bot", .text(bot))) }
        if let helped = seat.helped { members.append(.init("helped", .text(helped))) }
        if let commitment = seat.commitment { members.append(.init("commitment", .text(commitment))) }
        return .object(members)
    }

    /// `view` as a greeting has it at this version.
    var view: JSON { running?.view ?? .null }

    /// The first member in which a greeting's `room` differs from this one, and how.
    func difference(from shown: JSON) -> String? {
        var shown = shown
        for name in ["muted", "banned"] {
            guard let players = shown[name]?.list?.compactMap(\.text) else { continue }
            // The order of players, and whether an empty list is sent, is not promised.
            let members = (shown.members ?? []).filter { $0.name != name }
            shown = .object(members + (Self.list(players).map { [JSON.Member(name, $0)] } ?? []))
        }
        return room.difference(from: shown)
    }
}

extension RoomFold {
    /// Nil if the model does not know the game.
    var shownView: JSON? { running == nil && gameNumber > 0 ? nil : view }
}
