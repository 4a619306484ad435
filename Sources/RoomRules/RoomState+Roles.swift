import Games

// Players who give up or lose their seats, and the host.
extension RoomState {
    /// Most players that can be muted, and most that can be banned, since each `welcome` lists them all.
    static let outcastLimit = 100

    /// The longest-seated player who is connected and not the host; nil if there is none.
    func successor(_ attendance: Attendance) -> PlayerID? {
        seating.order.first { $0 != host && !isComputer($0) && attendance.isConnected($0) }
    }

    /// The change of host that is due if the host is absent; nil if none is due or possible.
    func replaceHost(_ context: DecisionContext) -> HostChanged? {
        guard phase != .closed, context.attendance.isAbsent(host, at: context.now) else { return nil }
        return successor(context.attendance).map { HostChanged(player: $0) }
    }

    /// Takes `seat` from its holder. In a running game that the holder plays, this is final.
    func depart(_ seat: Seat, _ departure: DepartureReason, _ decision: Decision) {
        guard let player = seats[seat] else { return }
        guard phase == .running, playing[seat] == player, let game else {
            return decision.add(SeatFreed(seat: seat, player: player, departure: departure))
        }
        let now = decision.context.now
        // The results after the player has left, since an attempt that is under way does not count.
        var left = game
        left.applyLeaving(of: seat, at: now)
        guard let played, let results = named(left.results(at: now)),
            let result = results.first(where: { $0.result.seat == seat })
        else { return decision.fail(PlayerLeft.type, "has no result for the player who leaves") }
        let around = game.leaveSteps(seat, at: now)
        decision.add(around.before)
        decision.add(
            PlayerLeft(
                seat: seat, player: player, departure: departure, game: played, against: results.opponents,
                result: result))
        // Once the last person has left no turn follows, since computers do not play among themselves.
        let isDeserted = decision.state.playing.values.allSatisfy(isComputer)
        if !isDeserted { decision.add(around.after) }
        decision.endIfOver()
        if isDeserted { decision.desert() }
    }

    /// Whether the player of `seat` is marked away or absent.
    func isGone(_ seat: Seat, _ context: DecisionContext) -> Bool {
        guard let player = seats[seat] else { return false }
        let isAway = playing[seat] != nil && game?.isAway(seat) == true
        return isAway || context.attendance.isAbsent(player, at: context.now)
    }

    /// Refuses to mute or ban the host, a computer, or an id that has not been here. Made-up ids would soon fill the
    /// list.
    func checkOutcast(_ player: PlayerID, _ outcasts: Set<PlayerID>, isOn: Bool, _ context: DecisionContext)
        throws(Rejection)
    {
        guard player != host, !isComputer(player) else { throw .notThisPlayer }
        guard isOn, !outcasts.contains(player) else { return }
        guard players.contains(player) || context.attendance.hasBeenHere(player) else { throw .notBeenHere }
        guard outcasts.count < Self.outcastLimit else { throw .tooManyOutcasts(Self.outcastLimit) }
    }
}

extension Rejection {
    static let dealing = Rejection("dealing", "The cards are being dealt. Wait a moment.")
    /// For a command of a banned player.
    public static let banned = Rejection("banned", "The host has banned you from this room. You can still watch.")
    /// For the chat of a muted player.
    public static let muted = Rejection("muted", "The host has muted you in this room.")
    static let notThisPlayer = Rejection("not-this-player", "You cannot do this to the host or to a computer.")
    static let notBeenHere = Rejection(
        "not-been-here", "The hub does not know that this player has been in the room.")
    static func tooManyOutcasts(_ limit: Int) -> Rejection {
        Rejection("too-many", "At most \(limit) players can be muted or banned.", values: ["limit": .integer(limit)])
    }
    static func playerIsThere(_ seat: Seat) -> Rejection {
        Rejection(
            "player-there", "The player on seat \(seat.rawValue) is here and keeps the seat while the game runs.",
            values: ["seat": .integer(seat.rawValue)])
    }
}
