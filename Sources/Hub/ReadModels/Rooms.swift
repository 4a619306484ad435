import EventStore
import Games
import JSON
import RoomRules
import Rooms

/// The parts of a room that must be found while it sleeps. The room itself folds them from the log.
struct RoomRow: Equatable {
    let code: String
    /// The version of the room that the row shows.
    let version: Int
    /// Who opened it. The host may be another player now.
    let opener: PlayerID
    let host: PlayerID
    let opened: Milliseconds
    let isPublic: Bool
    let isOpen: Bool
    /// When it must be woken; nil if it waits for nothing.
    let deadline: Milliseconds?
    /// The time of its last event.
    let changed: Milliseconds
    /// Its entry in lists, in JSON.
    let summary: [UInt8]
    /// The players of the newest game, or before the first one the players with seats. In the order of seats.
    let players: [PlayerID]
}

extension RoomRow {
    /// - Parameter lead: how far the room's time is ahead of the hub's.
    init(_ room: RoomState, lead: Milliseconds) {
        self.init(
            code: room.code, version: room.version, opener: room.opener, host: room.host, opened: room.openedAt,
            isPublic: room.visibility.isListed, isOpen: room.phase != .closed,
            deadline: (room.deadline ?? room.sleepDeadline).map { $0 - lead }, changed: room.time,
            summary: JSONWriter.bytes(room.summary), players: room.shownPlayers)
    }
}

extension Room {
    /// Its row, with times of the hub.
    var row: RoomRow { RoomRow(state, lead: lead) }
}

extension RoomRow: ReadModelRow {
    static let table = RowTable(
        "rooms",
        columns: [
            .text("code"), .integer("version"), .text("opener"), .text("host"), .integer("opened"),
            .integer("isPublic"), .integer("isOpen"), .optionalInteger("deadline"), .integer("changed"),
            .bytes("summary"), .text("players"),
        ],
        key: ["code"], version: "version",
        indexes: [
            RowIndex("code", ["code", "version"]),
            RowIndex("deadline", ["deadline"]),
            RowIndex("change", ["isOpen", "isPublic", .descending("changed")]),
            RowIndex("opener", ["opener", .descending("opened")]),
        ])

    var values: [RowValue] {
        [
            .text(code), .integer(version), .text(opener), .text(host), .integer(opened),
            .integer(isPublic ? 1 : 0), .integer(isOpen ? 1 : 0), deadline.map { .integer($0) } ?? .null,
            .integer(changed), .bytes(summary), .text(players.joined(separator: " ")),
        ]
    }

    init(_ values: [RowValue]) {
        (code, version, opener, host) = (values[0].text, values[1].integer, values[2].text, values[3].text)
        (opened, isPublic, isOpen) = (values[4].integer, values[5].integer != 0, values[6].integer != 0)
        (deadline, changed, summary) = (values[7].optionalInteger, values[8].integer, values[9].bytes)
        players = values[10].text.split(separator: " ").map { String($0) }
    }
}

extension ReadModelQuery<RoomRow> {
    /// In the order of `codes`, without those of no room.
    static func rooms(codes: [String]) -> Self {
        Self(walks: codes.map { RowQuery(RoomRow.table, by: "code", equal: [.text($0)], limit: 1) })
    }

    /// Rooms whose deadline is at `start` or later and before `end`, the earliest first.
    static func rooms(dueFrom start: Milliseconds, before end: Milliseconds, limit: Int) -> Self {
        Self(walks: [RowQuery(RoomRow.table, by: "deadline", in: start..<max(start, end), limit: limit)])
    }

    /// Open public rooms, the last changed first.
    static func openRooms(limit: Int) -> Self {
        Self(walks: [RowQuery(RoomRow.table, by: "change", equal: [.integer(1), .integer(1)], limit: limit)])
    }

    /// Rooms that this player has opened since `start`, closed or not, the newest first. The hub limits their number.
    static func rooms(openedBy player: PlayerID, since start: Milliseconds, limit: Int) -> Self {
        let opened = start..<Milliseconds.max
        return Self(walks: [RowQuery(RoomRow.table, by: "opener", equal: [.text(player)], in: opened, limit: limit)])
    }
}
