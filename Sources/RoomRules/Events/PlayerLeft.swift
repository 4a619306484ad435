import Games
import JSON

/// A player left a running game for good.
public struct PlayerLeft: OwnEvent {
    public static let type = "player-left"

    /// The seat that the player had.
    public let seat: Seat
    let player: PlayerID
    let departure: DepartureReason
    /// The game that the player left.
    public let game: PlayedGame
    /// Whom people played against. For `GameEnded` this follows from its results.
    public let against: Opponents
    /// The player's final result.
    public let result: NamedResult

    public var fields: Fields {
        (["seat": .integer(seat.rawValue), "player": .string(player), "reason": .string(departure.rawValue)] as Fields)
            .merging(game.fields).merging(["against": .string(against.rawValue), "result": .object(result.fields)])
    }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let seated = SeatedPlayer(fields), let departure = DepartureReason(fields), let game = PlayedGame(fields),
            let against = fields["against"]?.string.flatMap({ Opponents(rawValue: $0) }),
            let result = fields["result"]?.object.flatMap({ NamedResult($0) })
        else { return nil }
        return Self(
            seat: seated.seat, player: seated.player, departure: departure, game: game, against: against, result: result
        )
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.playing[seat] == player else { return false }
        room.facts.playing[seat] = nil
        room.facts.proposal?.forget(seat)
        if room.seats[seat] == player { room.facts.seating.free(seat) }
        room.game?.applyLeaving(of: seat, at: time)
        return true
    }
}
