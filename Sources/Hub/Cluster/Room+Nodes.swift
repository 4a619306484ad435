// What a room does when another node becomes its home.
extension Room {
    /// Other nodes serve than before. Where another one is the room's home by that, this one lets go of it once nothing
    /// is on its way to the log, and calls `whenGone`: its members come back, and find the other.
    func nodesChanged(whenGone: @escaping (Room) -> Void) {
        // Where it is leaving to be read again it looks once more when it has left.
        guard !surroundings.isHome(ofRoom: code), home.whenLeft == nil else { return }
        surroundings.counters.roomsHandedOn.add()
        home.leave { [self] _ in
            edge.closeAll(.serviceRestart, RelayedMembers.elsewhere)
            become(.absent)
            hasGone = true
            whenGone(self)
        }
    }
}
