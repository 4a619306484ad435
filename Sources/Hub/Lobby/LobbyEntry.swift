import Games
import JSON

/// A room as the lobby knows it.
struct LobbyEntry: Equatable {
    let row: RoomRow
    /// As last looked at.
    var presence: PresenceCount
    /// Nil where the host has no name, or it is not known yet.
    var hostName: String?
    /// Whether members have it in their lists.
    var isTold = false
    /// Whether the log may have lost what it shows: the next row takes its place, of whichever version.
    var isDoubtful = false
    /// Whether its row says so by now, though nobody has told of it here.
    var hasGone = false
    /// Whether it is listed as long as somebody is there.
    var isOpenToAll: Bool { row.isPublic && row.isOpen && !hasGone }
    var isListed: Bool { isOpenToAll && presence.isSomebody }
}

extension RoomRow {
    /// The order of lists: the last changed first.
    func isListed(before other: RoomRow) -> Bool {
        (other.changed, code) < (changed, other.code)
    }

    /// The room as lists show it, in JSON: what the log says of it, how many are there, the host's name, if any, and
    /// what else is asked for.
    func listed(_ count: PresenceCount, hostName: String?, with more: Fields = [:]) -> [UInt8] {
        var fields = count.fields.merging(more)
        fields["hostName"] = hostName.map { .string($0) }
        return summary.dropLast() + [UInt8(ascii: ",")] + JSONWriter.bytes(fields).dropFirst()
    }
}
