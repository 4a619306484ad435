import Games
import JSON

/// Puts a computer on a free seat from the next game on, or lets one play for a player who is away or absent.
struct BotCommand: OwnCommand {
    static let type = "bot"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.waits

    let seat: Seat
    let level: String

    init(_ fields: Fields) throws(Rejection) {
        guard let level = fields["level"]?.string else { throw .badField("level", "a string") }
        seat = try fields.seat()
        self.level = level
    }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard let kind = room.kind, (0..<room.seatCount).contains(seat.rawValue) else {
            throw .noSuchSeat(seat, count: room.seatCount)
        }
        guard kind.computerLevels.contains(level) else { throw .unknownLevel(kind.computerLevels) }
        guard room.computers[seat] != level else { return }
        let computer = SeatedPlayer(seat: seat, player: RoomState.computer(at: seat), level: level)
        guard let holder = room.seats[seat] else { return decision.add(SeatTaken(seated: computer)) }
        if room.isComputer(holder) {
            guard room.phase != .running || room.playing[seat] == nil else { throw .isRunning }
            decision.add(SeatFreed(seat: seat, player: holder, departure: .freed))
            return decision.add(SeatTaken(seated: computer))
        }
        guard room.phase == .running, room.playing[seat] == holder, let game = room.game else { throw .seatTaken(seat) }
        guard room.isGone(seat, decision.context) || room.isHelped(seat) else { throw .playerIsThere(seat) }
        decision.add(SeatHelped(seat: seat, level: level))
        decision.add(game.actSteps(seat, at: decision.context.now))
        decision.endIfOver()
    }
}

extension Rejection {
    fileprivate static func unknownLevel(_ levels: [String]) -> Rejection {
        Rejection(
            "unknown-value", "level must be one of \(levels.joined(separator: ", ")).",
            values: ["option": "level", "choices": .strings(levels)])
    }
}
