import Games
import JSON

/// A game is about to be dealt. Everything is fixed but the nonces that players have promised. `game-started` follows,
/// or `game-ended` if the game has a fault.
struct Dealing: OwnEvent {
    static let type = "dealing"

    /// How long to wait for nonces.
    static let nonceTimeout: Milliseconds = 10_000

    /// The game, with the nonces opened so far and without what follows from its seed.
    var start: GameStarted
    /// The seats whose nonces are still missing.
    var awaited: [Seat]
    var deadline: Milliseconds

    mutating func open(_ nonce: Nonce, of seat: Seat) {
        awaited.removeAll { $0 == seat }
        for index in start.players.indices where start.players[index].seat == seat {
            start.players[index].nonce = nonce
        }
    }

    var fields: Fields {
        start.fields.merging(["awaited": .integers(awaited.map(\.rawValue)), "deadline": .integer(deadline)])
    }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let awaited = fields["awaited"]?.integers, let deadline = fields["deadline"]?.integer else { return nil }
        var rest = fields
        for name in ["awaited", "deadline"] { rest[name] = nil }
        guard let start = GameStarted.read(rest, sealed: nil) else { return nil }
        return Self(start: start, awaited: awaited.map { Seat($0) }, deadline: deadline)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.phase == .waiting || room.phase == .ended else { return false }
        room.facts.dealing = self
        room.facts.proposal = nil
        room.facts.phase = .dealing
        return true
    }
}
