import Cryptography
import Games
import JSON

/// Takes a seat, or the first free one, perhaps with a commitment to a nonce for the next draw.
struct SitCommand: OwnCommand {
    static let type = "sit"
    static let isTheHosts = false
    static let whileDealing = WhileDealing.isRefused

    let seat: Seat?
    let commitment: Digest?

    init(_ fields: Fields) throws(Rejection) {
        seat = try fields.anySeat()
        commitment = try fields.commitment()
    }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        // A game that is not dealt has no draw to take part in.
        let commitment = room.seed == nil ? nil : commitment
        let all = (0..<room.seatCount).map { Seat($0) }
        if let seat, !all.contains(seat) { throw .noSuchSeat(seat, count: room.seatCount) }
        let own = room.seat(of: player)
        if let own, seat == nil || seat == own {
            // In a running game the next commitment comes with `ready`.
            guard room.phase != .running, let commitment, commitment != room.commitments[own] else { return }
            return decision.add(SeatTaken(seated: SeatedPlayer(seat: own, player: player, commitment: commitment)))
        }
        guard let seat = seat ?? all.first(where: { room.seats[$0] == nil }) else { throw .roomFull }
        guard room.seats[seat] == nil else { throw .seatTaken(seat) }
        if let own {
            guard room.phase != .running else { throw .isRunning }
            decision.add(SeatFreed(seat: own, player: player, departure: .left))
        }
        let promised = commitment ?? own.flatMap { room.commitments[$0] }
        decision.add(SeatTaken(seated: SeatedPlayer(seat: seat, player: player, commitment: promised)))
    }
}

extension Rejection {
    fileprivate static let roomFull = Rejection("room-full", "Every seat is taken. You can watch.")
}
