/// A room as the lobby knows it.
struct LobbyEntry: Equatable {
    let row: RoomRow
    /// As last looked at.
    var presence: PresenceCount
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
