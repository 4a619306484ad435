import Cryptography
import Games
import JSON

// What everyone may see of a room.
extension RoomState {
    /// The room's part of `welcome`, which anyone can fold from the public log.
    public var roomView: Fields {
        var view: Fields = [
            "code": .string(code), "game": .string(kind?.name ?? ""), "options": .object(options),
            "visibility": .string(visibility.rawValue), "host": .string(host), "status": .string(phase.rawValue),
            "seats": .list((0..<seatCount).map { .object(self.view(of: Seat($0))) }),
            "gameNumber": .integer(gameNumber),
        ]
        if let seed, phase != .closed { view["commitment"] = .string(seed.commitment.hex) }
        if !muted.isEmpty { view["muted"] = .strings(muted.sorted()) }
        if !banned.isEmpty { view["banned"] = .strings(banned.sorted()) }
        if let dealing { view["dealing"] = .object(dealing.fields) }
        if let proposal { view["proposal"] = .object(proposal.fields) }
        view = view.merging(wins.fields)
        if let lastStart {
            let started = lastStart.fields
            for name in ["seats", "first"] { view[name == "seats" ? "players" : name] = started[name] }
        }
        if let lastEnd {
            let ended = lastEnd.fields
            for name in ["results", "reason", "reveal"] { view[name] = ended[name] }
        }
        return view
    }

    private func view(of seat: Seat) -> Fields {
        var view: Fields = ["seat": .integer(seat.rawValue)]
        guard let player = seats[seat] else { return view }
        view["player"] = .string(player)
        if let level = computers[seat] { view[isComputer(player) ? "bot" : "helped"] = .string(level) }
        if let commitment = commitments[seat] { view["commitment"] = .string(commitment.hex) }
        return view
    }

    /// The game's part of `welcome`; nil before the first game.
    public var gameView: Fields? {
        guard let game else { return nil }
        var view = game.view
        view["awaited"] = .integers(awaited.map(\.rawValue))
        return view
    }

    /// What the player of `seat` alone may see of the running game; nil if there is nothing.
    public func hand(of seat: Seat) -> Fields? { playing[seat] == nil ? nil : game?.hand(of: seat) }

    /// The seats that the running game waits for, in order.
    public var awaited: [Seat] { phase == .running ? game?.awaited.sorted() ?? [] : [] }

    /// The players of the running or newest game, else everyone with a seat.
    public var shownPlayers: [PlayerID] {
        let started = (dealing?.start ?? lastStart)?.players.sorted { $0.seat < $1.seat }
        return started?.map(\.player) ?? seats.sorted { $0.key < $1.key }.map(\.value)
    }

    /// When a room without a deadline must be checked, since its players may have deserted the game, or no one uses it.
    /// Nil if never.
    public var sleepDeadline: Milliseconds? {
        switch phase {
        case .unopened, .closed: nil
        case .running where isForOne: usedAt + Self.waitForOne
        case .running where hasLongTurns: time + Self.expiry
        case .running, .dealing: time + Self.desertion
        case .waiting, .ended: time + Self.expiry
        }
    }

    /// As in `GET /api/rooms`.
    public var summary: Fields {
        var summary: Fields = [
            "code": .string(code), "game": .string(kind?.name ?? ""), "options": .object(options),
            "visibility": .string(visibility.rawValue), "host": .string(host),
            "seats": .object([
                "taken": .integer(seats.count), "computers": .integer(computers.count), "all": .integer(seatCount),
            ]),
            "status": .string(phase.rawValue),
        ]
        let movers = awaited.compactMap { playing[$0] }
        if !movers.isEmpty { summary["awaited"] = .strings(movers) }
        return summary
    }
}
