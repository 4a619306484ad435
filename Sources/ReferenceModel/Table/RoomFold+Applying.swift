extension RoomFold {
    /// An event to fold. Those of a running game are parsed; of all others there is the JSON.
    enum Step: Sendable {
        /// A move or its result, which changes nothing of the table.
        case play(GameEvent)
        case other(JSON, sealed: [UInt8]?)
    }

    /// How long wins count.
    private static let series = 12 * 3_600_000
    /// Most players whose wins are kept, besides those of the game that was won.
    private static let winnersKept = 100

    mutating func apply(_ step: Step, version: Int, time: Int) throws(BrokenPromise) {
        (self.version, self.time) = (version, time)
        switch step {
        case .play(let event):
            running?.apply(event, at: time)
            usedAt = time
            if case .away(let seat) = event { proposal?.asked.removeAll { $0 == seat } }
        case .other(let event, let sealed):
            if event["type"] == "clock-extended" { usedAt += event["ms"]?.number ?? 0 } else { usedAt = time }
            try apply(event, sealed: sealed)
        }
    }

    private mutating func apply(_ event: JSON, sealed: [UInt8]?) throws(BrokenPromise) {
        let seat = event["seat"]?.number ?? -1
        switch event["type"]?.text {
        case "room-opened": open(event, sealed: sealed)
        case "seat-taken": take(seat, event)
        case "seat-freed": free(seat)
        case "seat-helped":
            if seats.indices.contains(seat) {
                (seats[seat].helped, seats[seat].helpedSince) = (event["level"]?.text, version)
            }
            proposal?.asked.removeAll { $0 == seat }
        case "seat-returned": if seats.indices.contains(seat) { seats[seat].helped = nil }
        case "host-changed": host = event["player"]?.text ?? ""
        case "player-muted": Self.list(&muted, event)
        case "player-banned": Self.list(&banned, event)
        case "options-changed": change(event["options"] ?? .null)
        case "visibility-changed": visibility = event["visibility"]?.text ?? ""
        case "dealing": try deal(event)
        case "ready": open(nonceOf: seat, event)
        case "game-started": try start(event)
        case "proposed": propose(event)
        case "answered": answer(event, of: seat)
        case "proposal-ended": endProposal(event["reason"]?.text ?? "")
        case "clock-extended":
            let span = event["ms"]?.number ?? 0
            extendedUntil = max(extendedUntil, event["until"]?.number ?? 0)
            proposal?.deadline += span
            dealing?.move(by: span)
        case "player-left": free(seat)
        case "away": proposal?.asked.removeAll { $0 == seat }
        case "game-ended": end(event, sealed: sealed)
        case "room-closed":
            status = .closed
            (proposal, dealing, commitment, serverSeed) = (nil, nil, nil, nil)
        default: break
        }
        if let change = GameEvent(event), status == .running || change.isEnd { running?.apply(change, at: time) }
    }

    private mutating func open(_ event: JSON, sealed: [UInt8]?) {
        game = event["game"]?.text ?? ""
        options = event["options"] ?? .object([])
        visibility = event["visibility"]?.text ?? ""
        host = event["host"]?.text ?? ""
        (commitment, serverSeed) = (event["commitment"]?.text, sealed)
        seats = Array(repeating: Seat(), count: Self.seatCount(game: game, options: options))
    }

    // MARK: Seats

    private mutating func take(_ seat: Int, _ event: JSON) {
        guard seats.indices.contains(seat), let player = event["player"]?.text else { return }
        let wasFree = seats[seat].player == nil
        if seats[seat].player != player { seats[seat] = Seat(player: player, since: version) }
        seats[seat].bot = event["bot"]?.text
        seats[seat].commitment = event["commitment"]?.text
        guard wasFree, seats[seat].bot == nil, var asking = proposal, asking.what == "rematch" else { return }
        asking.take(seat)
        asking.agree(seat)
        if player == asking.player { asking.seat = seat }
        proposal = asking
    }

    private mutating func free(_ seat: Int) {
        if seats.indices.contains(seat) { seats[seat] = Seat() }
        proposal?.take(seat)
    }

    private mutating func change(_ asked: JSON) {
        options = asked
        let count = Self.seatCount(game: game, options: options)
        if seats.count > count { seats.removeLast(seats.count - count) }
        while seats.count < count { seats.append(Seat()) }
    }

    private static func list(_ players: inout [String], _ event: JSON) {
        guard let player = event["player"]?.text else { return }
        players.removeAll { $0 == player }
        if event["on"]?.bool == true { players.append(player) }
    }

    // MARK: Games

    private mutating func deal(_ event: JSON) throws(BrokenPromise) {
        try checkDealing(game, event, asked: options)
        status = .dealing
        proposal = nil
        let fields = (event.members ?? []).filter { !["v", "t", "type", "more"].contains($0.name) }
        dealing = Dealing(
            fields: .object(fields), awaited: event["awaited"]?.list?.compactMap(\.number) ?? [],
            deadline: event["deadline"]?.number ?? 0)
    }

    private mutating func open(nonceOf seat: Int, _ event: JSON) {
        dealing?.open(seat, event["nonce"] ?? .null)
        if seats.indices.contains(seat) { seats[seat].commitment = event["commitment"]?.text }
    }

    private mutating func start(_ event: JSON) throws(BrokenPromise) {
        status = .running
        gameNumber = event["number"]?.number ?? 0
        players = event["seats"]?.list ?? []
        first = event["first"]?.number
        (dealing, proposal, results, reason, reveal) = (nil, nil, nil, nil, nil)
        running = try beginGame(game, event, Deal(serverSeed: serverSeed, asked: options))
    }

    private mutating func end(_ event: JSON, sealed: [UInt8]?) {
        let reason = event["reason"]?.text ?? ""
        (proposal, dealing) = (nil, nil)
        (commitment, serverSeed) = (event["commitment"]?.text, sealed)
        for seat in seats.indices { seats[seat].helped = nil }
        guard status == .running else {
            // It could not be dealt.
            status = gameNumber == 0 ? .waiting : .ended
            return
        }
        status = .ended
        (self.reason, results, reveal) = (reason, event["results"], event["reveal"])
        count(results?.list ?? [], reason)
    }

    private mutating func count(_ results: [JSON], _ reason: String) {
        if let until = winsUntil, time > until { wins = [] }
        let winners = results.filter { $0["place"]?.number == 1 }
        if Self.isDecided(reason), results.count > 1, winners.count == 1, winners[0]["left"]?.bool != true,
            let winner = winners[0]["player"]?.text
        {
            let number = wins.first { $0.name == winner }?.value.number ?? 0
            wins.removeAll { $0.name == winner }
            wins.append(JSON.Member(winner, .number(number + 1)))
            let present = Set(results.compactMap { $0["player"]?.text })
            if wins.count > Self.winnersKept { wins.removeAll { !present.contains($0.name) } }
        }
        winsUntil = time + Self.series
    }
}

extension GameEvent {
    /// The only event for a game that the table has already ended.
    fileprivate var isEnd: Bool { if case .gameEnded = self { true } else { false } }
}

extension RoomFold.Dealing {
    fileprivate mutating func move(by span: Int) {
        deadline += span
        set("deadline", .number(deadline))
    }

    fileprivate mutating func open(_ seat: Int, _ nonce: JSON) {
        awaited.removeAll { $0 == seat }
        set("awaited", .numbers(awaited))
        let seats = (fields["seats"]?.list ?? []).map { seated -> JSON in
            guard seated["seat"]?.number == seat, let members = seated.members else { return seated }
            return .object(members + [JSON.Member("nonce", nonce)])
        }
        set("seats", .list(seats))
    }

    private mutating func set(_ name: String, _ value: JSON) {
        fields = .object((fields.members ?? []).map { $0.name == name ? JSON.Member(name, value) : $0 })
    }
}
