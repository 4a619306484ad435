import Cryptography
import Games
import JSON

/// An event of a room as its log has it.
struct RoomEvent: Sendable {
    let json: Value
    let type: String
    let version: Int
    let time: Int
    let sealed: [UInt8]?

    /// Nil if it is not `{v, t, type, ...}`.
    init?(_ shown: [UInt8], sealed: [UInt8]?) {
        guard let json = Value.read(shown), let version = json["v"]?.integer, let time = json["t"]?.integer,
            let type = json["type"]?.string
        else { return nil }
        (self.json, self.type, self.version, self.time, self.sealed) = (json, type, version, time, sealed)
    }

    /// What it says besides `v`, `t`, `type` and `more`.
    var fields: Fields { Fields(json.elements.filter { !Self.common.contains($0.0) }) }

    private static let common: Set = ["v", "t", "type", "more"]

    /// As a game's event, with what is sealed of it, or at least its digest.
    var step: GameStep {
        var fields = fields
        guard let seal = fields["seal"]?.string.flatMap({ Digest(hex: $0) }) else {
            return GameStep(type: type, fields: fields)
        }
        fields["seal"] = nil
        return GameStep(
            type: type, fields: fields, sealed: sealed.flatMap { SealedFields(bytes: $0) } ?? .committed(seal))
    }
}

extension RoomFold {
    /// How long wins count.
    private static let series = 12 * 3_600_000
    /// Most players whose wins are kept, besides those of the game that was won.
    private static let winnersKept = 100

    mutating func apply(_ event: RoomEvent) throws(BrokenPromise) {
        (version, time) = (event.version, event.time)
        if event.type == "clock-extended" { usedAt += event.json["ms"]?.integer ?? 0 } else { usedAt = time }
        let (json, seat) = (event.json, event.json["seat"]?.integer ?? -1)
        switch event.type {
        case "room-opened": open(json, sealed: event.sealed)
        case "seat-taken": takeSeat(seat, json)
        case "seat-freed": free(seat)
        case "player-left":
            free(seat)
            running?.applyLeaving(of: seat, at: time)
        case "seat-helped":
            if seats.indices.contains(seat) {
                (seats[seat].helped, seats[seat].helpedSince) = (json["level"]?.string, version)
            }
            running?.help(seat, true)
            proposal?.asked.removeAll { $0 == seat }
        case "seat-returned":
            if seats.indices.contains(seat) { seats[seat].helped = nil }
            running?.help(seat, false)
        case "host-changed": host = json["player"]?.string ?? ""
        case "player-muted": Self.list(&muted, json)
        case "player-banned": Self.list(&banned, json)
        case "options-changed": change(json["options"]?.object ?? [:])
        case "visibility-changed": visibility = json["visibility"]?.string ?? ""
        case "dealing": try deal(event)
        case "ready": open(nonceOf: seat, json)
        case "game-started": try start(json)
        case "proposed": propose(json)
        case "answered": answer(json, of: seat)
        case "proposal-ended": endProposal(json["reason"]?.string ?? "")
        case "clock-extended": extendClock(json)
        case "game-ended": try endGame(json, sealed: event.sealed)
        case "room-closed":
            status = .closed
            (proposal, dealing, commitment, serverSeed) = (nil, nil, nil, nil)
        default:
            guard status == .running else { return }
            try running?.apply(event.step, at: time, version: version)
            // A player who is marked away is not asked.
            let away = seats.indices.filter(isAway)
            proposal?.asked.removeAll { away.contains($0) }
        }
    }

    private mutating func extendClock(_ event: Value) {
        let span = event["ms"]?.integer ?? 0
        extendedUntil = max(extendedUntil, event["until"]?.integer ?? 0)
        proposal?.deadline += span
        dealing?.move(by: span)
        if status == .running { running?.extendClock(by: span) }
    }

    private mutating func open(_ event: Value, sealed: [UInt8]?) {
        game = event["game"]?.string ?? ""
        options = event["options"]?.object ?? [:]
        visibility = event["visibility"]?.string ?? ""
        host = event["host"]?.string ?? ""
        (commitment, serverSeed) = (event["commitment"]?.string, sealed)
        seats = Array(repeating: Seat(), count: seatCount(options))
    }

    // MARK: Seats

    private mutating func takeSeat(_ seat: Int, _ event: Value) {
        guard seats.indices.contains(seat), let player = event["player"]?.string else { return }
        let wasFree = seats[seat].player == nil
        if seats[seat].player != player { seats[seat] = Seat(player: player, since: version) }
        seats[seat].bot = event["bot"]?.string
        seats[seat].commitment = event["commitment"]?.string
        guard wasFree, seats[seat].bot == nil, var asking = proposal, asking.what == "rematch" else { return }
        asking.removeSeat(seat)
        asking.agree(seat)
        if player == asking.player { asking.seat = seat }
        proposal = asking
    }

    private mutating func free(_ seat: Int) {
        if seats.indices.contains(seat) { seats[seat] = Seat() }
        proposal?.removeSeat(seat)
    }

    private mutating func change(_ asked: Fields) {
        options = asked
        let count = seatCount(options)
        if seats.count > count { seats.removeLast(seats.count - count) }
        while seats.count < count { seats.append(Seat()) }
    }

    private static func list(_ players: inout [String], _ event: Value) {
        guard let player = event["player"]?.string else { return }
        players.removeAll { $0 == player }
        if event["on"]?.bool == true { players.append(player) }
    }

    // MARK: Games

    private mutating func deal(_ event: RoomEvent) throws(BrokenPromise) {
        if let kind { try GameStart(event.json).check(kind, asked: options) }
        status = .dealing
        proposal = nil
        dealing = Dealing(
            fields: event.fields, awaited: event.json["awaited"]?.integers ?? [],
            deadline: event.json["deadline"]?.integer ?? 0)
    }

    private mutating func open(nonceOf seat: Int, _ event: Value) {
        dealing?.open(seat, event["nonce"] ?? .null)
        if seats.indices.contains(seat) { seats[seat].commitment = event["commitment"]?.string }
    }

    private mutating func start(_ event: Value) throws(BrokenPromise) {
        if let kind {
            let start = GameStart(event)
            try start.check(kind, asked: options, fixed: dealing?.fields, dealtFrom: start.seed(serverSeed))
            running = try GameFold(kind, event, serverSeed: serverSeed)
        }
        status = .running
        gameNumber = event["number"]?.integer ?? 0
        players = event["seats"]?.list ?? []
        first = event["first"]?.integer
        (dealing, proposal, results, reason, reveal) = (nil, nil, nil, nil, nil)
    }

    private mutating func endGame(_ event: Value, sealed: [UInt8]?) throws(BrokenPromise) {
        let reason = event["reason"]?.string ?? ""
        (proposal, dealing) = (nil, nil)
        (commitment, serverSeed) = (event["commitment"]?.string, sealed)
        for seat in seats.indices { seats[seat].helped = nil }
        guard status == .running else {
            // It could not be dealt.
            status = gameNumber == 0 ? .waiting : .ended
            return
        }
        if let running, !(event["reveal"] ?? .null).isSame(as: running.reveal ?? .null) {
            throw BrokenPromise("a game's end reveals what it was dealt from and what was sealed", "\(event)")
        }
        status = .ended
        (self.reason, results, reveal) = (reason, event["results"], event["reveal"])
        count(results?.list ?? [], reason)
    }

    private mutating func count(_ results: [Value], _ reason: String) {
        if let until = winsUntil, time > until { wins = [:] }
        let winners = results.filter { $0["place"]?.integer == 1 }
        if Self.isDecided(reason), results.count > 1, winners.count == 1, winners[0]["left"]?.bool != true,
            let winner = winners[0]["player"]?.string
        {
            wins[winner] = .integer((wins[winner]?.integer ?? 0) + 1)
            let present = Set(results.compactMap { $0["player"]?.string })
            if wins.count > Self.winnersKept { wins = Fields(wins.elements.filter { present.contains($0.0) }) }
        }
        winsUntil = time + Self.series
    }
}

extension RoomFold.Dealing {
    fileprivate mutating func move(by span: Int) {
        deadline += span
        fields["deadline"] = .integer(deadline)
    }

    fileprivate mutating func open(_ seat: Int, _ nonce: Value) {
        awaited.removeAll { $0 == seat }
        fields["awaited"] = .integers(awaited)
        let seats = (fields["seats"]?.list ?? []).map { seated -> Value in
            guard seated["seat"]?.integer == seat, var fields = seated.object else { return seated }
            fields["nonce"] = nonce
            return .object(fields)
        }
        fields["seats"] = .list(seats)
    }
}
