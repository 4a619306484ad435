import JSON

// What a connection is sent that only its player may see.
extension ConnectionModel {
    /// A `hand`.
    func handSent(_ message: Value, in room: RoomModel) {
        guard let version = message["v"]?.integer, version + 1 == next || otherNexts.contains(version + 1) else {
            return recordBreach("a hand follows the event that led to it", "\(message) before version \(next)")
        }
        // A hub that does not know of a loss may still send what the lost events led to.
        let log = lostLog ?? room.log
        guard version <= log.version, let seat = message["seat"]?.integer,
            log.fold(at: version).seat(playedBy: player) == seat
        else { return recordBreach("a hand goes to its own player only", "\(message) to \(player ?? "a spectator")") }
        let expected = log.fold(at: version).running?.hand(of: seat) ?? .null
        expect(
            message["hand"]?.isSame(as: expected) == true, "a hand is that of the version that it names",
            "\(message) instead of \(expected)")
        hand = (version, message["hand"] ?? .null)
    }

    /// Checks that the newest hand that the player was sent is the present one.
    func checkHand(in room: RoomModel) {
        let fold = room.durable
        guard let seat = fold.seat(playedBy: player), let expected = fold.running?.hand(of: seat) else { return }
        expect(
            hand?.fields.isSame(as: expected) == true, "a player has the hand of the newest version",
            "\(hand.map { "\($0)" } ?? "none") instead of \(expected)")
    }
}

extension RoomFold {
    /// The seat of `player` in the running game; nil if the player does not play.
    fileprivate func seat(playedBy player: String?) -> Int? {
        guard status == .running, let player else { return nil }
        return running?.players.first { $0.id == player && !$0.hasLeft }?.seat
    }
}
