import Cryptography

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
        let seated = playing.map { seat -> JSON in
            var members: [JSON.Member] = [
                .init("seat", .number(seat)), .init("player", .text(seats[seat].player ?? "")),
            ]
            if let bot = seats[seat].bot { members.append(.init("bot", .text(bot))) }
            if let commitment = seats[seat].commitment { members.append(.init("commitment", .text(commitment))) }
            return .object(members)
        }
        // The game's own model compares these with the rules.
        let open = ["options", "theme", "board"]
        let number = JSON.number(gameNumber + 1)
        guard awaited.isEmpty else {
            return [
                .table(
                    "dealing",
                    [
                        "number": number, "seats": .list(seated), "first": .number(first),
                        "awaited": .numbers(awaited), "deadline": .number(time + Self.dealingTime),
                    ], open: open)
            ]
        }
        return [
            .table(
                "game-started", ["number": number, "seats": .list(seated), "first": .number(first)], open: open),
            firstTurn(first, people: playing.count { seats[$0].bot == nil }, at: time),
        ]
    }

    private func firstTurn(_ first: Int, people: Int, at time: Int) -> Expected {
        let seconds = RoomOptions.turnTime(options, people: people)
        return .play(.turn(seat: first, deadline: seconds > 0 ? time + seconds * 1_000 : nil))
    }

    /// The game that `dealing` has fixed, once every nonce is there or time is up.
    func dealt(at time: Int) -> [Expected] {
        guard let dealing else { return [] }
        let fields = (dealing.fields.members ?? []).filter { $0.name != "awaited" && $0.name != "deadline" }
        let started = JSON.object([JSON.Member("type", "game-started")] + fields)
        let seated = started["seats"]?.list ?? []
        return [
            // With nonces, another number of pairs may be drawn.
            .table(started, open: started["board"]?["drawn"] == nil ? [] : ["options", "board"]),
            firstTurn(started["first"]?.number ?? 0, people: seated.count { $0["bot"] == nil }, at: time),
        ]
    }

    /// The game ends, and the same seat begins the next.
    func restart(_ attendance: Attendance, at time: Int) -> [Expected] {
        guard let running else { return [] }
        // A player who has sat down since then did so for the next game.
        let playing = seats.indices.filter { seats[$0].player != nil }
        let begins = first.flatMap { playing.contains($0) ? $0 : nil } ?? playing.first ?? 0
        let ended = running.ending(reason: "restart", at: time, gone: gone(attendance, at: time))
        return [.play(ended)] + beginning(of: playing, first: begins, attendance, at: time)
    }

    /// The first turn moves on by one seat.
    func nextFirst(of playing: [Int]) -> Int {
        guard let first else { return playing.first ?? 0 }
        return playing.first { $0 > first } ?? playing.first ?? 0
    }
}
