import Cryptography
import Games

/// The holders of a room's seats, playing or not, and what belongs to a seat while it is held.
struct Seating: Sendable {
    private(set) var holders: [Seat: PlayerID] = [:]
    /// The holders, the longest-seated first.
    private(set) var order: [PlayerID] = []
    /// The commitments to their nonces for the next draw.
    var commitments: [Seat: Digest] = [:]
    /// The levels of computers, whether they have a seat of their own or play for a player.
    var computers: [Seat: String] = [:]

    /// The holders, the longest-seated first, with what belongs to their seats.
    var players: [SeatedPlayer] {
        order.compactMap { player in
            seat(of: player).map {
                SeatedPlayer(seat: $0, player: player, level: computers[$0], commitment: commitments[$0])
            }
        }
    }

    func seat(of player: PlayerID) -> Seat? { holders.first { $0.value == player }?.key }

    /// False, with nothing changed, if another player has the seat or this player has another seat.
    mutating func seatPlayer(_ seated: SeatedPlayer) -> Bool {
        let seat = seated.seat
        guard holders[seat] == nil || holders[seat] == seated.player else { return false }
        guard self.seat(of: seated.player) ?? seat == seat else { return false }
        if holders[seat] == nil { order.append(seated.player) }
        holders[seat] = seated.player
        commitments[seat] = seated.commitment
        if let level = seated.level { computers[seat] = level }
        return true
    }

    mutating func free(_ seat: Seat) {
        let player = holders.removeValue(forKey: seat)
        order.removeAll { $0 == player }
        commitments[seat] = nil
        computers[seat] = nil
    }
}
