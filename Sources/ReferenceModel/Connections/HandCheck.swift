import JSON

/// Compares a `hand` with the room at its version. Only the player of its seat may get it.
struct HandCheck: PlacedCheck {
    let connection: ConnectionModel
    /// The log that the connection was shown.
    let log: RoomLog

    var findings: Findings { connection.findings }
    var place: String { connection.place }

    func run(_ message: Value) {
        let next = connection.next
        guard let version = message["v"]?.integer,
            version + 1 == next || connection.otherNexts.contains(version + 1)
        else { return recordBreach("a hand follows the event that led to it", "\(message) before version \(next)") }
        guard version <= log.version, let seat = message["seat"]?.integer,
            log.fold(at: version).seat(playedBy: connection.player) == seat
        else {
            return recordBreach(
                "a hand goes to its own player only", "\(message) to \(connection.player ?? "a spectator")")
        }
        let expected = log.fold(at: version).running?.hand(of: seat) ?? .null
        expect(
            message["hand"]?.isSame(as: expected) == true, "a hand is that of the version that it names",
            "\(message) instead of \(expected)")
        connection.hand = (version, message["hand"] ?? .null)
    }
}

extension RoomFold {
    /// The seat of `player` in the running game; nil if the player does not play.
    func seat(playedBy player: String?) -> Int? {
        guard status == .running, let player else { return nil }
        return running?.players.first { $0.id == player && !$0.hasLeft }?.seat
    }
}
