import Games

// Who may do what: leaving, and what a host may do to seats and players.
extension RoomState {
    /// Players that a host may have muted, and banned, at a time: all of them are part of each `welcome`.
    static let outcastLimit = 100

    /// A host who leaves hands the room on.
    func leave(_ player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard phase != .dealing else { throw .dealing }
        guard let seat = seat(of: player) else { throw .notSeated }
        depart(seat, .left, decision)
        if player == host, let next = successor(decision.context.attendance) { decision.add(HostChanged(player: next)) }
    }

    /// The longest-seated player who is connected, besides the host.
    func successor(_ attendance: Attendance) -> PlayerID? {
        seating.order.first { $0 != host && !isComputer($0) && attendance.isConnected($0) }
    }

    func free(_ seat: Seat, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard player == host else { throw .notHost }
        guard phase != .dealing else { throw .dealing }
        guard let holder = seats[seat] else { throw .seatIsFree(seat, count: seatCount) }
        guard phase != .running || isComputer(holder) || isGone(seat, decision.context) else {
            throw .playerIsThere(seat)
        }
        depart(seat, .freed, decision)
    }

    /// A computer on a free seat is there from the next game on; in a running one it plays for whoever is away or
    /// absent.
    func seatComputer(at seat: Seat, level: String, by player: PlayerID, _ decision: Decision)
        throws(Rejection)
    {
        guard player == host else { throw .notHost }
        guard phase != .dealing else { throw .dealing }
        guard let kind, (0..<seatCount).contains(seat.rawValue) else { throw .noSuchSeat(seat, count: seatCount) }
        guard kind.computerLevels.contains(level) else { throw .unknownLevel(kind.computerLevels) }
        guard computers[seat] != level else { return }
        let computer = SeatedPlayer(seat: seat, player: Self.computer(at: seat), level: level)
        guard let holder = seats[seat] else { return decision.add(SeatTaken(seated: computer)) }
        if isComputer(holder) {
            guard phase != .running || playing[seat] == nil else { throw .isRunning }
            decision.add(SeatFreed(seat: seat, player: holder, departure: .freed))
            return decision.add(SeatTaken(seated: computer))
        }
        guard phase == .running, playing[seat] == holder, let game else { throw .seatTaken(seat) }
        guard isGone(seat, decision.context) || isHelped(seat) else { throw .playerIsThere(seat) }
        decision.add(SeatHelped(seat: seat, level: level))
        decision.add(game.actSteps(seat, at: decision.context.now))
        decision.endIfOver()
    }

    func mute(_ other: PlayerID, _ isOn: Bool, by player: PlayerID) throws(Rejection) -> [RoomEvent] {
        try check(other, by: player)
        guard !isOn || muted.count < Self.outcastLimit else { throw .tooManyOutcasts(Self.outcastLimit) }
        return muted.contains(other) == isOn ? [] : [.own(PlayerMuted(player: other, isMuted: isOn))]
    }

    func ban(_ other: PlayerID, _ isOn: Bool, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        try check(other, by: player)
        guard phase != .dealing else { throw .dealing }
        guard banned.contains(other) != isOn else { return }
        guard !isOn || banned.count < Self.outcastLimit else { throw .tooManyOutcasts(Self.outcastLimit) }
        decision.add(PlayerBanned(player: other, isBanned: isOn))
        if isOn, let seat = seat(of: other) { depart(seat, .banned, decision) }
    }

    /// What is left to do when the host has been gone too long: somebody else is.
    func replaceHost(_ context: DecisionContext) -> HostChanged? {
        guard phase != .closed, context.attendance.isAbsent(host, at: context.now) else { return nil }
        return successor(context.attendance).map { HostChanged(player: $0) }
    }

    /// What takes `seat` from its holder: final in a running game that is played there.
    private func depart(_ seat: Seat, _ departure: DepartureReason, _ decision: Decision) {
        guard let player = seats[seat] else { return }
        guard phase == .running, playing[seat] == player, let game else {
            return decision.add(SeatFreed(seat: seat, player: player, departure: departure))
        }
        let now = decision.context.now
        // As it stands once the player has left: an attempt under way does not count.
        var left = game
        left.applyLeaving(of: seat, at: now)
        guard let played, let result = named(left.results(at: now))?.first(where: { $0.result.seat == seat }) else {
            return decision.fail(PlayerLeft.type, "there is no result of who leaves")
        }
        let around = game.leaveSteps(seat, at: now)
        decision.add(around.before)
        decision.add(
            PlayerLeft(seat: seat, player: player, departure: departure, game: played, result: result))
        decision.add(around.after)
        decision.endIfOver()
        // Once the last person has gone: computers do not play among themselves.
        if decision.state.playing.values.allSatisfy(isComputer) { decision.desert() }
    }

    /// Whether the player of `seat` is marked away, or has had no connection for long.
    private func isGone(_ seat: Seat, _ context: DecisionContext) -> Bool {
        guard let player = seats[seat] else { return false }
        let isAway = playing[seat] != nil && game?.isAway(seat) == true
        return isAway || context.attendance.isAbsent(player, at: context.now)
    }

    private func check(_ other: PlayerID, by player: PlayerID) throws(Rejection) {
        guard player == host else { throw .notHost }
        guard other != host, !isComputer(other) else { throw .notThisPlayer }
    }
}

extension Rejection {
    static let dealing = Rejection("dealing", "The game is being dealt: wait a moment.")
    static let notDealing = Rejection("not-dealing", "No game is being dealt just now.")
    static let notAwaited = Rejection("not-awaited", "No nonce is awaited of you: you promised none, or opened it.")
    static let wrongNonce = Rejection("wrong-nonce", "This nonce is not the one that you committed to.")
    static let banned = Rejection("banned", "The host has banned you from this room: you can watch.")
    static let muted = Rejection("muted", "The host has muted you in this room.")
    static let notThisPlayer = Rejection("not-this-player", "This cannot be done to the host or to a computer.")
    static func tooManyOutcasts(_ limit: Int) -> Rejection {
        Rejection("too-many", "At most \(limit) players can be muted or banned.", values: ["limit": .integer(limit)])
    }
    static func seatIsFree(_ seat: Seat, count: Int) -> Rejection {
        (0..<count).contains(seat.rawValue)
            ? Rejection("seat-free", "Nobody has seat \(seat.rawValue).", values: ["seat": .integer(seat.rawValue)])
            : .noSuchSeat(seat, count: count)
    }
    static func playerIsThere(_ seat: Seat) -> Rejection {
        Rejection(
            "player-there", "Who has seat \(seat.rawValue) is there: a running game goes on.",
            values: ["seat": .integer(seat.rawValue)])
    }
    static func unknownLevel(_ levels: [String]) -> Rejection {
        Rejection(
            "unknown-value", "level must be one of \(levels.joined(separator: ", ")).",
            values: ["option": "level", "choices": .strings(levels)])
    }
}
