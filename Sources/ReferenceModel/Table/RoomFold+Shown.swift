import JSON

extension RoomFold {
    /// `room` as a greeting has it at this version.
    var room: Fields {
        var room: Fields = [
            "code": .string(code), "game": .string(game), "options": .object(options),
            "visibility": .string(visibility), "host": .string(host), "status": .string(status.name),
            "seats": .list(seats.indices.map { .object(shownSeat($0)) }), "gameNumber": .integer(gameNumber),
        ]
        room["commitment"] = commitment.map { .string($0) }
        room["muted"] = muted.isEmpty ? nil : .strings(muted.sorted())
        room["banned"] = banned.isEmpty ? nil : .strings(banned.sorted())
        room["dealing"] = dealing.map { .object($0.fields) }
        room["players"] = players.isEmpty ? nil : .list(players)
        room["first"] = first.map { .integer($0) }
        (room["results"], room["reason"], room["reveal"]) = (results, reason.map { .string($0) }, reveal)
        room["proposal"] = proposal.map { .object($0.fields) }
        room["wins"] = wins.count == 0 ? nil : .object(wins)
        room["winsUntil"] = wins.count == 0 ? nil : winsUntil.map { .integer($0) }
        return room
    }

    private func shownSeat(_ number: Int) -> Fields {
        let seat = seats[number]
        var fields: Fields = ["seat": .integer(number)]
        fields["player"] = seat.player.map { .string($0) }
        fields["bot"] = seat.bot.map { .string($0) }
        fields["helped"] = seat.helped.map { .string($0) }
        fields["commitment"] = seat.commitment.map { .string($0) }
        return fields
    }

    /// The first field in which a greeting's `room` is not this one, and how.
    func difference(from shown: Value) -> String? {
        var shown = shown.object ?? [:]
        for name in ["muted", "banned"] {
            // The order of players, and whether an empty list is sent, is not promised.
            guard let players = shown[name]?.strings else { continue }
            shown[name] = players.isEmpty ? nil : .strings(players.sorted())
        }
        return room.difference(from: shown)
    }

    /// `view` as a greeting has it at this version; nil where the model does not know the game.
    var shownView: Value? {
        guard let running else { return gameNumber > 0 ? nil : .null }
        // A game that the room has ended, such as by closing, waits for no one either.
        let awaited = status == .running ? running.awaited : []
        return .object((running.view.object ?? [:]).merging(["awaited": .integers(awaited)]))
    }
}
