import JSON

/// Checks that a connection has been sent all that no longer has a reason to wait.
struct RestCheck: PlacedCheck {
    let connection: ConnectionModel
    let room: RoomModel

    var findings: Findings { connection.findings }
    var place: String { connection.place }

    /// `expected`: who is connected to the room.
    func run(_ expected: WhoIsThere, at now: Int) {
        guard connection.isOpen, connection.isReading, connection.saidHello else { return }
        let (hellos, pings, commands) = (connection.hellos, connection.pings, connection.commands)
        expect(
            connection.isGreetedSince || connection.refusedCount > 0, "a hello is answered", "\(hellos.count) are not")
        expect(pings.count <= connection.refusedCount, "a ping is answered", "\(pings) are not")
        expect(
            commands.isEmpty || room.durable.status == .dealing, "a command is answered",
            "\(commands.first.map { "\($0.message)" } ?? "") is not")
        guard connection.isGreeted else { return }
        let isOfALoss = connection.lostLog != nil
        expect(
            connection.next == room.version + 1 && !isOfALoss, "every member gets every event",
            "\(connection.next - 1)\(isOfALoss ? " of what is lost" : "") of \(room.version)")
        expect(
            connection.context.isCluster || connection.chatNext == room.chat.lines.count,
            "every member gets every line of chat", "\(connection.chatNext) of \(room.chat.lines.count)")
        checkHand()
        checkHelp()
        guard now - room.presenceChangedAt >= RoomCheck.presencePause,
            now - connection.greetedAt >= RoomCheck.presencePause
        else { return }
        expect(
            expected.isTold(connection.presence), "the last presence says who is connected",
            "\(connection.presence.map { "\($0)" } ?? "none") instead of \(expected)")
        checkNames()
    }

    /// The newest hand that the player was sent is the present one.
    private func checkHand() {
        let fold = room.durable
        guard let seat = fold.seat(playedBy: connection.player), let expected = fold.running?.hand(of: seat) else {
            return
        }
        let hand = connection.hand
        expect(
            hand?.fields.isSame(as: expected) == true && hand?.version == fold.version,
            "a player has the hand of the newest version", "\(hand.map { "\($0)" } ?? "none") instead of \(expected)")
    }

    private func checkHelp() {
        guard let seat = connection.player.flatMap(room.durable.seat), room.durable.seats[seat].helped != nil else {
            return
        }
        let since = room.durable.seats[seat].helpedSince
        expect(
            connection.cameBehind < since, "a computer plays for a player until the player is back",
            "for seat \(seat) since version \(since), and its player came after \(connection.cameBehind)")
    }

    /// The last names told are those of the players who are connected or have a seat.
    private func checkNames() {
        let place = "\(self.place), told last"
        let (players, names, accounts) = (
            connection.presence?.players ?? [], connection.names, connection.context.accounts
        )
        for player in players where names[player] == nil { accounts.shownNameless(player, place) }
        for player in players + room.durable.seats.compactMap(\.player) {
            if let name = names[player] { accounts.shown(name, of: player, place) }
        }
    }
}
