import Cryptography
import JSON

// How games begin.
extension RoomFold {
    /// How long the room waits for nonces, in ms.
    private static let dealingTime = 10_000

    static func digest(of bytes: [UInt8]) -> String { SHA256.digest(of: bytes).bytes.hex }

    static func digest(ofHex text: String) -> String? {
        [UInt8](hex: text).map { SHA256.digest(of: $0).bytes.hex }
    }

    /// `dealing`, or the game at once.
    func beginning(of playing: [Int], first: Int, _ attendance: Attendance, at time: Int) -> [Expected] {
        // A player who is not connected opens nothing.
        let awaited = playing.filter { seat in
            seats[seat].commitment != nil && seats[seat].player.map(attendance.isHere) ?? false
        }
        let seated = playing.map { seat -> Value in
            var fields: Fields = ["seat": .integer(seat), "player": .string(seats[seat].player ?? "")]
            fields["bot"] = seats[seat].bot.map { .string($0) }
            fields["commitment"] = seats[seat].commitment.map { .string($0) }
            return .object(fields)
        }
        let number = Value.integer(gameNumber + 1)
        guard awaited.isEmpty else {
            return [
                Expected(
                    "dealing",
                    [
                        "number": number, "seats": .list(seated), "first": .integer(first),
                        "awaited": .integers(awaited), "deadline": .integer(time + Self.dealingTime),
                    ], isPartial: true)
            ]
        }
        return [started(number, .list(seated), .integer(first))]
    }

    /// Its other fields are checked by the fold.
    private func started(_ number: Value?, _ seats: Value?, _ first: Value?) -> Expected {
        Expected("game-started", ["number": number, "seats": seats, "first": first], isPartial: true)
    }

    /// The game that `dealing` has fixed, once every nonce is there or time is up.
    func dealt() -> [Expected] {
        guard let fields = dealing?.fields else { return [] }
        return [started(fields["number"], fields["seats"], fields["first"])]
    }

    /// The game ends, and the same seat begins the next.
    func restart(_ attendance: Attendance, at time: Int) -> [Expected] {
        guard let running else { return [] }
        // A player who has sat down since then did so for the next game.
        let playing = seats.indices.filter { seats[$0].player != nil }
        let begins = first.flatMap { playing.contains($0) ? $0 : nil } ?? playing.first ?? 0
        return [running.ending("restart", at: time)] + beginning(of: playing, first: begins, attendance, at: time)
    }

    /// The first turn moves on by one seat.
    func nextFirst(of playing: [Int]) -> Int {
        guard let first else { return playing.first ?? 0 }
        return playing.first { $0 > first } ?? playing.first ?? 0
    }
}
