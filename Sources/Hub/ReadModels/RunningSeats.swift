import EventStore
import Games
import Records
import RoomRules

/// A seat of a running game, by its player, who can return to it.
struct RunningSeatRow: Equatable {
    let room: String
    let seat: Int
    let player: PlayerID
    /// When the game started.
    let since: Milliseconds
}

extension RunningSeatRow: ReadModelRow {
    static let table = RowTable(
        "runningSeats", columns: [.text("room"), .integer("seat"), .text("player"), .integer("since")],
        key: ["room", "seat"],
        indexes: [RowIndex("seat", ["room", "seat", "since"]), RowIndex("player", ["player", .descending("since")])])

    var values: [RowValue] { [.text(room), .integer(seat), .text(player), .integer(since)] }

    init(_ values: [RowValue]) {
        (room, seat) = (values[0].text, values[1].integer)
        (player, since) = (values[2].text, values[3].integer)
    }

    static func changes(by record: Record) -> [RowChange] {
        guard let code = record.stream.roomCode else { return [] }
        switch EventCoding.decode(record)?.own {
        case let start as GameStarted:
            return start.players.filter { !RoomState.isComputer($0.player) }.map {
                let seat = RunningSeatRow(
                    room: code, seat: $0.seat.rawValue, player: $0.player, since: record.event.time)
                return seat.change
            }
        case let leaving as PlayerLeft:
            return [.delete(from: table, by: "seat", equal: [.text(code), .integer(leaving.seat.rawValue)])]
        case is GameEnded: return [.delete(from: table, by: "seat", equal: [.text(code)])]
        default: return []
        }
    }

    static let kinds = [GameStarted.type, PlayerLeft.type, GameEnded.type]
}

extension ReadModelQuery<RunningSeatRow> {
    /// The player's seats, the newest game first.
    static func seats(of player: PlayerID, limit: Int) -> Self {
        Self(walks: [RowQuery(RunningSeatRow.table, by: "player", equal: [.text(player)], limit: limit)])
    }
}
