import Cryptography
import Games
import JSON

/// A game is about to be dealt: everything is fixed, and the nonces of those who promised one are awaited. Ends in
/// `game-started`, or in `game-ended` if the game has a fault.
struct Dealing: OwnEvent {
    static let type = "dealing"

    /// Longest time that the nonces are waited for.
    static let nonceTimeout: Milliseconds = 10_000

    /// With the nonces opened so far; the game's own fields as far as they do not follow from its seed.
    var start: GameStarted
    /// The seats whose nonces are still to come.
    var awaited: [Seat]
    var deadline: Milliseconds

    /// Takes what `seat` opens.
    mutating func open(_ nonce: Nonce, of seat: Seat) {
        awaited.removeAll { $0 == seat }
        for index in start.players.indices where start.players[index].seat == seat {
            start.players[index].nonce = nonce
        }
    }
}

extension Dealing {
    /// Those of the start, and what is waited for.
    var fields: Fields {
        start.fields.merging([
            "awaited": .integers(awaited.map(\.rawValue)), "deadline": .integer(deadline),
        ])
    }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let awaited = fields["awaited"]?.integers, let deadline = fields["deadline"]?.integer else { return nil }
        var rest = fields
        for name in ["awaited", "deadline"] { rest[name] = nil }
        guard let start = GameStarted(rest, sealed: nil) else { return nil }
        self.init(start: start, awaited: awaited.map { Seat($0) }, deadline: deadline)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard room.phase == .waiting || room.phase == .ended else { return false }
        room.facts.dealing = self
        room.facts.proposal = nil
        room.facts.phase = .dealing
        return true
    }
}
