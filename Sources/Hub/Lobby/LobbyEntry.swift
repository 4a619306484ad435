import JSON
import Rooms

/// A room as the lobby knows it.
struct LobbyEntry: Equatable {
    let row: RoomRow
    /// At the last look.
    var presence: PresenceCount
    /// Nil if the host has no name, or it is not known yet.
    var hostName: String?
    /// Whether members have it in their lists.
    var isTold = false
    /// Whether the log may have lost what it shows. The next row then replaces it, no matter which version it has.
    var isDoubtful = false
    /// Whether its row shows that it left the list, which was not reported here.
    var hasGone = false
    /// Whether it is listed while anyone is connected to it.
    var isOpenToAll: Bool { row.isPublic && row.isOpen && !hasGone }
    var isListed: Bool { isOpenToAll && presence.isSomebody }
}

extension RoomRow {
    /// In the order of lists, the last changed first.
    func isListed(before other: RoomRow) -> Bool { (other.changed, code) < (changed, other.code) }

    /// The room as lists show it, in JSON: the log's summary, the number of connections, the host's name if there is
    /// one, and `more`.
    func listed(_ count: PresenceCount, hostName: String?, with more: Fields = [:]) -> [UInt8] {
        var fields = count.fields.merging(more)
        fields["hostName"] = hostName.map { .string($0) }
        return summary.dropLast() + [UInt8(ascii: ",")] + JSONWriter.bytes(fields).dropFirst()
    }
}
