import Cryptography
import EventStore
import Games

// What everybody may see of a room. With the game's `view` it is the whole of what `welcome` says.
extension RoomState {
    /// The room's part of `welcome`: what anyone can fold out of the public log.
    var roomView: Fields {
        var view: Fields = [
            "code": .string(code), "game": .string(kind?.name ?? ""), "options": .object(options),
            "visibility": .string(visibility.rawValue), "host": .string(host), "status": .string(phase.rawValue),
            "seats": .list(
                (0..<seatCount).map { index in
                    var seat: Fields = ["seat": .integer(index)]
                    if let player = seats[Seat(index)] { seat["player"] = .string(player) }
                    return .object(seat)
                }),
            "gameNumber": .integer(gameNumber),
        ]
        if let seed, phase != .closed { view["commitment"] = .string(seed.commitment.hex) }
        if let lastStart {
            let started = RoomEvent.gameStarted(lastStart).fields
            for name in ["seats", "first"] { view[name == "seats" ? "players" : name] = started[name] }
        }
        if let lastEnd {
            let ended = RoomEvent.gameEnded(lastEnd).fields
            for name in ["results", "reason", "reveal"] { view[name] = ended[name] }
        }
        return view
    }

    /// The game's part of `welcome`; nil before the first game.
    var gameView: Fields? { game?.view }

    /// The room's row in the projections, and what lists of rooms show of it.
    var row: RoomRow {
        RoomRow(
            code: code, version: version, host: host, isPublic: visibility == .public, isOpen: phase != .closed,
            deadline: deadline, changed: time, summary: JSONWriter.bytes(summary))
    }

    /// As in `GET /api/rooms`.
    var summary: Fields {
        [
            "code": .string(code), "game": .string(kind?.name ?? ""), "options": .object(options),
            "visibility": .string(visibility.rawValue), "host": .string(host),
            "seats": .object(["taken": .integer(seats.count), "all": .integer(seatCount)]),
            "status": .string(phase.rawValue),
        ]
    }
}
