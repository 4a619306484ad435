import Games
import JSON
import RoomRules

// Who is connected, as members and lists show it.
extension RoomEdge {
    /// - Parameter isNewName: a name is shown that members may not know, which does not wait.
    func presenceChanged(isNewName: Bool = false) {
        presence.change(isNewName: isNewName)
        armTimer()
    }

    func armTimer() {
        guard room.isAwake else { return }
        // The timer runs on hub time.
        timer.set(edge: presence.next.map { $0 - (room.now - surroundings.now) })
    }

    func sendPresenceIfDue() {
        defer { armTimer() }
        guard room.isAwake, let due = presence.next, due <= room.now else { return }
        let present = present
        presence.count(present.connected)
        surroundings.presence.set(count(of: present), in: room.code)
        let before = presence.shown.players
        if let frame = presence.update(to: shown(of: present), naming: namesNeeded, at: room.now) { tell(frame) }
        for player in before.subtracting(presence.shown.players) { letGo(of: player) }
    }

    /// Players whose names members need, connected or not, since the room or its chat shows them.
    var namesNeeded: Set<PlayerID> { Set(room.players).union(chat.lines.map(\.from)) }

    /// Who is connected.
    private struct Present {
        /// Players, with a seat or without.
        let connected: Int
        /// Those of them with a seat, in the order of seats.
        let seated: [PlayerID]
        /// Players without a seat, and connections without a name.
        let spectators: Int
    }

    private var present: Present {
        let seated = room.seated.filter(isConnected)
        return Present(
            connected: greeted.count, seated: seated, spectators: greeted.count - seated.count + nameless)
    }

    private func isConnected(_ player: PlayerID) -> Bool { greeted[player] != nil }

    /// What members are shown of them.
    private func shown(of present: Present) -> Presence.Shown {
        var players = Set(present.seated)
        if !presence.isCrowd {
            players = Set(greeted.keys)
        } else if isConnected(room.host) {
            players.insert(room.host)
        }
        return Presence.Shown(players: players, spectators: present.spectators)
    }

    /// What lists show of them.
    private func count(of present: Present) -> PresenceCount {
        let isHostApart = isConnected(room.host) && !present.seated.contains(room.host)
        return PresenceCount(
            present: present.seated.count + (isHostApart ? 1 : 0), spectators: present.spectators)
    }

    /// As in `GET /api/rooms/{code}`.
    public var description: Fields {
        HubMessage.description(
            room.summary, count(of: present), hostName: presence.names[room.host],
            names: presence.names(of: presence.named.union(namesNeeded)))
    }
}
