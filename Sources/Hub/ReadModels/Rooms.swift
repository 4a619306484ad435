import EventStore
import Games
import JSON
import RoomRules

/// A room, as far as it must be found while it sleeps. It is folded from the log by the room itself.
struct RoomRow: Equatable {
    let code: String
    /// The version of the room that the row shows.
    let version: Int
    /// Who opened it, whoever is its host by now.
    let opener: PlayerID
    let host: PlayerID
    let opened: Milliseconds
    let isPublic: Bool
    let isOpen: Bool
    /// When it must be woken; nil if nothing runs.
    let deadline: Milliseconds?
    /// The time of its last event.
    let changed: Milliseconds
    /// What lists show of it, in JSON.
    let summary: [UInt8]
    /// Who plays, or has played the newest game; before the first, who has a seat. In the order of seats.
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
    /// In the order asked; codes of no room are left out.
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

    /// Rooms that this player has opened since `start`, the newest first, closed or not: how many there may be is the
    /// hub's to limit.
    static func rooms(openedBy player: PlayerID, since start: Milliseconds, limit: Int) -> Self {
        let opened = start..<Milliseconds.max
        return Self(walks: [RowQuery(RoomRow.table, by: "opener", equal: [.text(player)], in: opened, limit: limit)])
    }
}
