import JSON

// What a connection is told about presence and chat.
extension ConnectionModel {
    /// A `presence`.
    func toldWhoIsThere(_ message: Value, in room: RoomModel) {
        learnNames(message["names"], "presence")
        guard let old = presence, let new = old.after(message) else {
            return recordBreach("presence says who came and went", "\(message)")
        }
        // A player's name may be told by itself, before the player speaks.
        guard new != old else { return }
        let (before, passed) = (presenceAt, context.moment - presenceMoment)
        (presence, presenceAt, presenceMoment) = (new, context.now, context.moment)
        isPresenceTrue = false
        checkNamed(new.players, in: room, "presence")
        // Clocks of working loops differ by less.
        let span = RoomCheck.presenceSpan - 100
        guard passed < span, isReading, readsSince < before - RoomCheck.presenceLag, greetedAt < before
        else { return }
        // A recorded event, or a changed name, is seen later.
        let since = before - RoomCheck.presenceLag
        guard max(context.hinderedAt, room.seatTakenAt, context.accounts.renamedAt) < since else { return }
        recordBreach("presence comes at most four times a second", "\(passed) ms after the one before")
    }

    /// The presence and names in a greeting.
    func greetedWithPresence(_ told: Value?, in room: RoomModel) {
        presence = Present(greeting: told)
        isPresenceTrue = false
        findings.expect(presence != nil, "a greeting says who is connected", place)
        checkNamed(presence?.players ?? [], in: room, "a greeting")
    }

    private func checkNamed(_ players: [String], in room: RoomModel, _ what: String) {
        for player in players where names[player] == nil {
            context.accounts.shownNameless(player, "\(place), \(what)")
        }
    }

    /// Checks that names are those of the accounts; null means that the player has none now.
    func learnNames(_ told: Value?, _ what: String) {
        for (player, name) in told?.elements ?? [] {
            names[player] = name.string
            guard let name = name.string else { continue }
            context.accounts.shown(name, of: player, "\(place), \(what)")
        }
    }

    /// A `chat` or a `reaction`.
    func heard(_ message: Value, _ type: String, in room: RoomModel) {
        guard let player = message["from"]?.string else {
            return recordBreach("chat is from a player", "\(message)")
        }
        defer { checkNamed([player], in: room, type) }
        guard type == "chat" else {
            return expect(
                message["emoji"]?.string.map { room.hasSeen($0, of: player) } ?? false,
                "a reaction was made by its player",
                "\(message)")
        }
        guard let line = Chat.Line(message) else {
            return recordBreach("a line of chat is {from, text, t}", "\(message)")
        }
        if context.isCluster { return heardOfSeveral(line, in: room) }
        if chatNext == room.chat.lines.count {
            context.checkTime(line.time, from: 0, lead: room.lead, "\(place), a line of chat")
            guard room.hasSaid(line) else {
                return recordBreach("a line of chat was said once, by its player", "\(message)")
            }
        } else if room.chat.lines[chatNext] != line {
            recordBreach(
                "everyone gets the same chat in the same order", "\(message) instead of \(room.chat.lines[chatNext])")
        }
        chatNext += 1
    }

    /// While a room's home moves, lines may reach its edges in different orders, but none comes twice.
    private func heardOfSeveral(_ line: Chat.Line, in room: RoomModel) {
        let wasSaid =
            room.chat.lines.contains(line) || room.hasSaid(line)
            || isOfAnotherTime(line, in: room) && !toldLines.contains(where: line.isSame(as:))
        expect(wasSaid && !toldLines.contains(line), "a line of chat was said once, by its player", "\(line)")
        toldLines = (toldLines + [line]).suffix(Chat.kept)
    }

    /// A home that was stopped serves on if the log has lost that it was declared lost. It may then accept a line with
    /// its own time, which its successor has accepted too.
    private func isOfAnotherTime(_ line: Chat.Line, in room: RoomModel) -> Bool {
        room.chat.lines.contains(where: line.isSame(as:))
    }

    /// The `chat` of a greeting.
    func heardBefore(_ lines: Value, in room: RoomModel) {
        let greeted = (lines.list ?? []).compactMap(Chat.Line.init)
        if context.isCluster {
            toldLines = greeted
            for line in greeted where !isOfAnotherTime(line, in: room) && !room.hasSaid(line) {
                recordBreach("a greeting has lines of chat that were said", "\(line)")
            }
            return
        }
        defer { room.mayHaveSlept = false }
        let end = room.chat.end(of: greeted, from: isGreeted ? chatNext : 0)
        if room.mayHaveSlept, greeted.isEmpty || end == nil && room.chat.known(of: greeted) == nil {
            room.chat = Chat()
            chatNext = 0
        } else if let end {
            chatNext = end
            return
        }
        // Lines said while everyone was connecting or behind were sent to no one.
        guard let known = room.chat.known(of: greeted), greeted[known...].allSatisfy({ room.hasSaid($0) }) else {
            return recordBreach("a greeting has the newest lines of chat", "\(lines)")
        }
        chatNext = room.chat.lines.count
    }
}
